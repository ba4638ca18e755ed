import { z } from 'zod';

/** What a replica is told by whoever starts it, and what it answers. */
export const replicaOrders = z.object({
  env: z.record(z.string(), z.string()),
  timings: z.object({ leaseMs: z.number(), settleMs: z.number(), checkMs: z.number() }).optional(),
});
export type ReplicaOrders = z.infer<typeof replicaOrders>;

export const replicaReady = z.object({ port: z.number() });
