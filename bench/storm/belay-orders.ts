import { z } from 'zod';

/** What the process is told by whoever starts it, and what it reports. */
export const belayOrders = z.object({ env: z.record(z.string(), z.string()) });
export const belayReport = z.union([
  z.object({ port: z.number() }),
  z.object({ residentBytes: z.number() }),
]);
export type BelayReport = z.infer<typeof belayReport>;
