/**
 * The same steps, each of which must come within `stepMs` of being asked for; what is done with one
 * takes as long as it takes. A step that is late ends the walk in a time-out.
 */
export async function* eachInTime<Step>(
  open: (signal: AbortSignal) => AsyncIterable<Step>,
  { stepMs, stopping }: { stepMs: number; stopping: AbortSignal },
): AsyncGenerator<Step> {
  const late = new AbortController();
  const giveUp = () => late.abort(new DOMException('A step took too long.', 'TimeoutError'));
  let timer = setTimeout(giveUp, stepMs);
  try {
    for await (const step of open(AbortSignal.any([stopping, late.signal]))) {
      clearTimeout(timer);
      yield step;
      timer = setTimeout(giveUp, stepMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
