import { z } from 'zod';

/** The message to a replica that starts it, and its answer. */
export const replicaConfig = z.object({
  env: z.record(z.string(), z.string()),
  timings: z.object({ leaseMs: z.number(), settleMs: z.number(), checkMs: z.number() }).optional(),
});
export type ReplicaConfig = z.infer<typeof replicaConfig>;

/** Without a port in Socket Mode. */
export const replicaReady = z.object({ port: z.number().optional() });
