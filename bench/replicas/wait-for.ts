import { setTimeout as wait } from 'node:timers/promises';

/** Polls until the condition holds; false after `forMs`. Other processes cannot notify this one. */
export async function waitFor(
  condition: () => Promise<boolean> | boolean,
  { forMs, everyMs = 100 }: { forMs: number; everyMs?: number },
): Promise<boolean> {
  const until = performance.now() + forMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > until) return false;
    await wait(everyMs);
  }
}
