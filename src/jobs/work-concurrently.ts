/**
 * Calls `work` again and again, up to `maxConcurrent` at once, until it resolves to false (nothing was
 * due), was called `maxCalls` times, or `stopping` is aborted. Returns how often there was work.
 * @throws what a call throws, once all others have ended
 */
export async function workConcurrently(
  work: () => Promise<boolean>,
  {
    maxConcurrent,
    maxCalls,
    stopping,
  }: { maxConcurrent: number; maxCalls: number; stopping?: AbortSignal | undefined },
): Promise<number> {
  let calls = 0;
  let done = 0;
  async function run() {
    while (calls < maxCalls && !stopping?.aborted) {
      calls += 1;
      if (!(await work())) return;
      done += 1;
    }
  }
  const runs = await Promise.allSettled(Array.from({ length: maxConcurrent }, run));
  const failed = runs.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return done;
}
