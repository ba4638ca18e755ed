import { z } from 'zod';

/** Ids longer than this do not fit the value of a button, whatever characters they hold. */
export const longestCarriedId = 300;
export const longestFilter = 100;

/** What *Details* carries. */
export const detailsValue = z.object({ alertId: z.string().min(1).max(longestCarriedId) });

/** What *Newer* and *Older* carry: the page to show, of which search. */
export const pageValue = z.object({
  filter: z.string().max(longestFilter),
  pageNumber: z.int().min(1).max(10_000),
  asOf: z.iso.datetime().optional(),
});
