import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again, since nobody calls when a process of its own is done; false when it took too long. */
export async function waitFor(
  isSo: () => Promise<boolean> | boolean,
  { forMs, everyMs = 100 }: { forMs: number; everyMs?: number },
): Promise<boolean> {
  const until = performance.now() + forMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > until) return false;
    await wait(everyMs);
  }
}
