import { z } from 'zod';

/** The argument of `digest-worker.ts`. The secrets are generated for each run. */
export const workerInput = z.object({
  databaseUrl: z.string(),
  slackApiUrl: z.string(),
  botToken: z.string(),
  connectionId: z.string(),
  service: z.object({ baseUrl: z.string(), token: z.string() }),
});

export type WorkerInput = z.infer<typeof workerInput>;
