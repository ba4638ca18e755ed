import type { Logger } from '../logger.ts';

/**
 * Runs `work` every `intervalMs`, never twice at once; an error is logged and the next run is not
 * affected. Returns a function that aborts the signal of a run in progress, and waits for it.
 */
export function repeat(
  name: string,
  intervalMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  log: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work(stopping.signal)
      .catch((error: unknown) => log.error({ job: name, err: error }, 'a repeated job failed'))
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
