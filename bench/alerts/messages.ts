import { z } from 'zod';

export const serviceReady = z.object({
  id: z.string(),
  label: z.string(),
  baseUrl: z.string(),
  token: z.string(),
  dialect: z.string(),
});
export type ServiceReady = z.infer<typeof serviceReady>;

/** The service answers any order with the paths that were requested since the last one. */
export const pathsOrder = z.literal('report paths');
export const requestedPaths = z.array(z.string());
