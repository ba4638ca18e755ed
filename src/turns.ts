import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';

/** Runs at most `maxConcurrent` calls with the same key at a time; others wait in order. */
export function createTurns(maxConcurrent: number) {
  const queues = new Map<string, PQueue>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(key) ?? new PQueue({ concurrency: maxConcurrent });
    queues.set(key, queue);
    try {
      // Otherwise the queue would run it in the trace of the previous call.
      return await queue.add(AsyncLocalStorage.bind(work));
    } finally {
      if (queue.size + queue.pending === 0) queues.delete(key);
    }
  };
}
