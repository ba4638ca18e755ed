import { z } from 'zod';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { alertSearchSchema } from '../alert-search.ts';

/** What *Details*, *Note…* and *Clear…* carry. */
export const alertValue = z.object({
  alertId: z.string().min(1).max(maxIdLength),
  /** Where the answer to a form goes. */
  channelId: z.string().optional(),
});
export type AlertValue = z.infer<typeof alertValue>;

/** What *Filter…* carries: what its form begins with. */
export const searchValue = z.object({ search: alertSearchSchema });

/** What *Newer* and *Older* carry: the page to show, of which search. */
export const pageValue = z.object({
  search: alertSearchSchema,
  pageNumber: z.int().min(1).max(10_000),
  asOf: z.iso.datetime().optional(),
  /** Buttons of older versions lack it; whoever presses one is asked to run the command again. */
  shown: z.string().regex(/^[\w-]*$/),
});

/** What the filter form carries: where its answer goes, and what it began with. */
export const filterMetadata = searchValue.extend({ channelId: z.string().optional() });
