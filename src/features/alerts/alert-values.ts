import { z } from 'zod';
import { alertSearchSchema } from './alert-search.ts';

/** Ids longer than this do not fit the value of a button, whatever characters they hold. */
export const longestCarriedId = 300;

/** What *Details*, *Note…* and *Clear…* carry. */
export const alertValue = z.object({
  alertId: z.string().min(1).max(longestCarriedId),
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
