import { setTimeout as wait } from 'node:timers/promises';

export type Deadline = ReturnType<typeof startDeadline>;

/**
 * When a call ends: by its timeout or by the caller's signal, whichever comes first. Must be released,
 * or its timer keeps the process alive. `now` is in milliseconds.
 */
export function startDeadline(ms: number, caller: AbortSignal | undefined, now: () => number) {
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
    /** Resolves to true after this time; to false at once if the deadline is sooner, or when it ends. */
    async sleep(sleepMs: number): Promise<boolean> {
      if (signal.aborted || now() + sleepMs >= endsAt) return false;
      return wait(sleepMs, true, { signal }).catch(() => false);
    },
    /** Whether the caller's signal ended the call for another reason than a timeout. */
    isAborted: () => signal.aborted && !isTimeout(signal.reason),
    release(): void {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCallerAbort);
    },
  };
}

export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
