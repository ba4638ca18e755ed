import { setTimeout as wait } from 'node:timers/promises';

/** The end of the time for one call, by the caller's signal or by the clock, whichever is first. */
export type Deadline = {
  signal: AbortSignal;
  /** Waits; at once false when that would take too long, and false as soon as the call is over. */
  sleep: (ms: number) => Promise<boolean>;
  /** The caller gave up, for another reason than time. */
  isAbandoned: () => boolean;
  release: () => void;
};

/** The caller must `release` it, or its timer keeps the process alive. */
export function startDeadline(
  ms: number,
  caller: AbortSignal | undefined,
  now: () => number,
): Deadline {
  const ending = new AbortController();
  const { signal } = ending;
  const endsAt = now() + ms;
  const timer = setTimeout(
    () => ending.abort(new DOMException('The time for this call is up.', 'TimeoutError')),
    ms,
  );
  const onCallerAbort = () => ending.abort(caller?.reason);
  if (caller?.aborted) onCallerAbort();
  caller?.addEventListener('abort', onCallerAbort, { once: true });

  return {
    signal,
    async sleep(sleepMs) {
      if (signal.aborted || now() + sleepMs >= endsAt) return false;
      return wait(sleepMs, true, { signal }).catch(() => false);
    },
    isAbandoned: () => signal.aborted && !isTimeout(signal.reason),
    release() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCallerAbort);
    },
  };
}

export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
