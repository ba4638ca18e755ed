import { z } from 'zod';

/** What a worker needs to know; the secrets are made up for the run. */
export const workerOrders = z.object({
  databaseUrl: z.string(),
  slackApiUrl: z.string(),
  botToken: z.string(),
  connectionId: z.string(),
  service: z.object({ baseUrl: z.string(), token: z.string() }),
});

export type WorkerOrders = z.infer<typeof workerOrders>;
