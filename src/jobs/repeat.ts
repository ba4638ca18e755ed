import type { Logger } from '../logger.ts';

/**
 * Runs `work` every `intervalMs`, never twice at once; a run that throws is logged and the next one
 * comes all the same. Returns a stop that waits for the run in progress.
 */
export function repeat(
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
  log: Logger,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.error({ job: name, err: error }, 'a repeated job failed'))
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
