import { createFailureLog, type Logger } from '../logger.ts';

type RepeatOptions = {
  /** For the log. */
  name: string;
  intervalMs: number;
  /** A run that takes longer is reported as hanging, and others start beside it. */
  limitMs: number;
  /** Else the first run starts after `intervalMs`. */
  startsAtOnce?: boolean;
};

/**
 * Runs `work` every `intervalMs`, never twice at once unless a run hangs; an error is logged and the
 * next run is not affected. The signal of a run is aborted when it hangs and when everything stops.
 * As in several processes, runs that overlap must not disturb each other. Returns a function that
 * stops, and waits for what still runs.
 */
export function repeat(
  { name, intervalMs, limitMs, startsAtOnce }: RepeatOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
  log: Logger,
): () => Promise<void> {
  const jobLog = log.child({ job: name });
  const failures = createFailureLog(jobLog);
  const stopping = new AbortController();
  const hanging = new Set<Promise<void>>();
  let running: Promise<void> | undefined;

  function start(): void {
    const hangs = new AbortController();
    const run = work(AbortSignal.any([stopping.signal, hangs.signal]))
      .then(failures.succeeded, (error: unknown) =>
        failures.failed({ err: error }, 'a repeated job failed'),
      )
      .finally(() => {
        clearTimeout(watchdog);
        hanging.delete(run);
        if (running === run) running = undefined;
      });
    running = run;
    // Longer with each run that hangs already, so that their number stays small however long it lasts.
    const waitMs = limitMs * 2 ** hanging.size;
    const watchdog = setTimeout(() => {
      hanging.add(run);
      running = undefined;
      jobLog.error(
        { waitMs, hanging: hanging.size },
        'a repeated job hangs; another run may start',
      );
      hangs.abort();
    }, waitMs);
  }

  if (startsAtOnce) start();
  const timer = setInterval(() => {
    if (!running) start();
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await Promise.all([running, ...hanging]);
  };
}
