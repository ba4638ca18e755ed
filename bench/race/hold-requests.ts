import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/**
 * Addresses in place of `urls` that keep `count` requests together, then send them on at once. In a thread
 * of its own: preparing so many requests takes the local Slack longer than Belay takes to decide, and
 * meanwhile it would answer nothing.
 */
export async function holdRequests(urls: string[], count: number) {
  const worker = new Worker(new URL('./hold-worker.ts', import.meta.url), {
    workerData: { urls, count },
  });
  const [address] = await once(worker, 'message');
  const { port } = z.object({ port: z.int() }).parse(address);
  const complete = once(worker, 'message');
  return {
    urls: urls.map((_, index) => `http://127.0.0.1:${port}/${index}`),
    /** Resolves once all have arrived here and are being sent on: to when, in milliseconds. */
    async release(): Promise<number> {
      await complete;
      worker.postMessage('release');
      return Date.now();
    },
    stop: () => worker.terminate(),
  };
}
