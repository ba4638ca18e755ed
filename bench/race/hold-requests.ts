import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/**
 * URLs of a proxy that holds `count` requests and then forwards all of them at once. It has its own
 * thread: preparing so many requests takes the local Slack longer than Belay takes to decide, and
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
    /** Waits for all requests, then forwards them. Resolves to that time, in milliseconds. */
    async release(): Promise<number> {
      await complete;
      worker.postMessage('release');
      return Date.now();
    },
    stop: () => worker.terminate(),
  };
}
