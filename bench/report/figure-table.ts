import { z } from 'zod';

/** Further figures of a benchmark, as a table. */
export const figureTable = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
});
export type FigureTable = z.infer<typeof figureTable>;
