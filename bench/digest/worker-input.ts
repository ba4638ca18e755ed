import { z } from 'zod';

/** The argument of `digest-worker.ts`. The secrets are generated for each run. */
export const workerInput = z.object({
  /** Of Belay, as far as it is needed to post. */
  env: z.record(z.string(), z.string()),
  connectionId: z.string(),
  service: z.object({ baseUrl: z.string(), token: z.string() }),
});

export type WorkerInput = z.infer<typeof workerInput>;
