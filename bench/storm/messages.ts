import { z } from 'zod';

/** The first message to the process, and the messages that it sends. */
export const belayOrders = z.object({ env: z.record(z.string(), z.string()) });
export const belayReport = z.union([
  z.object({ port: z.number() }),
  z.object({ residentBytes: z.number() }),
]);
export type BelayReport = z.infer<typeof belayReport>;
