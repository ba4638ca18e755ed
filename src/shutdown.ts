import type { Logger } from './logger.ts';

/** The signals that stop the process cleanly. */
export const stopSignals = ['SIGTERM', 'SIGINT'] as const;

export type Stage = {
  name: string;
  /** The share of the whole time after which the next stage starts, whether this one has ended or not. */
  until: number;
  stop: (remainingMs: number) => Promise<unknown>;
};

/**
 * Runs the stages one after the other, all of them within `deadlineMs`. Never rejects: what fails or
 * takes too long is logged, and the next stage starts. Returns whether every stage ended in time.
 */
export async function shutDown(
  stages: Stage[],
  { deadlineMs, log }: { deadlineMs: number; log: Logger },
): Promise<boolean> {
  const startedAt = performance.now();
  let isClean = true;
  for (const { name, until, stop } of stages) {
    const remainingMs = Math.max(0, startedAt + until * deadlineMs - performance.now());
    const ending = (async () => stop(remainingMs))().then(
      () => true,
      (error: unknown) => {
        log.error({ stage: name, err: error }, 'a part of Belay could not be stopped');
        return false;
      },
    );
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(late.resolve, remainingMs);
    const hasEnded = await Promise.race([ending, late.promise]);
    clearTimeout(timer);
    if (hasEnded === undefined) log.error({ stage: name }, 'a part of Belay did not stop in time');
    isClean &&= hasEnded === true;
  }
  return isClean;
}
