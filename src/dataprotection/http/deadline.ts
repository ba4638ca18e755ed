import { setTimeout as wait } from 'node:timers/promises';

/** When a call ends: by its timeout or by the caller's signal, whichever comes first. */
export type Deadline = {
  signal: AbortSignal;
  /** Resolves to true after `ms`; to false at once if the deadline is sooner, or when it ends. */
  sleep: (ms: number) => Promise<boolean>;
  /** Whether the caller's signal ended the call for another reason than a timeout. */
  isAborted: () => boolean;
  release: () => void;
};

/** Must be released, or its timer keeps the process alive. `now` is in milliseconds. */
export function startDeadline(
  ms: number,
  caller: AbortSignal | undefined,
  now: () => number,
): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const endsAt = now() + ms;
  const timer = setTimeout(
    () => controller.abort(new DOMException('The call timed out.', 'TimeoutError')),
    ms,
  );
  const onCallerAbort = () => controller.abort(caller?.reason);
  if (caller?.aborted) onCallerAbort();
  caller?.addEventListener('abort', onCallerAbort, { once: true });

  return {
    signal,
    async sleep(sleepMs) {
      if (signal.aborted || now() + sleepMs >= endsAt) return false;
      return wait(sleepMs, true, { signal }).catch(() => false);
    },
    isAborted: () => signal.aborted && !isTimeout(signal.reason),
    release() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCallerAbort);
    },
  };
}

export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
