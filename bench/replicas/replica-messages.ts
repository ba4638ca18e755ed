import { z } from 'zod';

/** The message to a replica that starts it, and its answer. */
export const replicaConfig = z.object({
  env: z.record(z.string(), z.string()),
  timings: z.object({ leaseMs: z.number(), settleMs: z.number(), checkMs: z.number() }).optional(),
  /** How soon an uninstall is noticed, and the data deleted. */
  uninstallTimings: z
    .object({
      checkMs: z.number(),
      confirmMs: z.number(),
      retryMs: z.number(),
      settleMs: z.number(),
      leaseMs: z.number(),
    })
    .optional(),
  /** Compresses time: from that moment on (in milliseconds), the clock runs faster by this factor. */
  speed: z.object({ factor: z.number(), from: z.number() }).optional(),
  /** How far the clock is ahead, in milliseconds, as if nothing had run for that long. */
  aheadMs: z.number().optional(),
});
export type ReplicaConfig = z.infer<typeof replicaConfig>;

export function fasterTime(now: Date, speed: { factor: number; from: number }): Date {
  const elapsed = Math.max(0, now.getTime() - speed.from);
  return new Date(now.getTime() + elapsed * (speed.factor - 1));
}

/** Without a port in Socket Mode. */
export const replicaReady = z.object({ port: z.number().optional() });
