export type Steps<Target, Fetched, Step> = {
  fetch: (target: Target, signal: AbortSignal) => Promise<Fetched>;
  /** The target that follows. Throws if the sequence must not be continued. */
  nextOf: (fetched: Fetched) => Target | undefined;
  /** The target that probably follows `target`, given the latest result. */
  predictNext: (target: Target, fetched: Fetched) => Target | undefined;
  isSame: (a: Target, b: Target) => boolean;
  read: (fetched: Fetched) => Step;
};

/** Half of the six connections to the service, so that other calls find one free. */
const maxAhead = 3;

/**
 * Yields the steps of a sequence in order and fetches up to three steps ahead, one at first. All
 * but the next one are predictions. Only steps that a previous step leads to are read, so a wrong
 * prediction costs requests and nothing else; after the first one there are no more predictions.
 * Requests that are no longer needed are aborted.
 */
export async function* prefetch<Target, Fetched, Step>(
  first: Target | undefined,
  { fetch, nextOf, predictNext, isSame, read }: Steps<Target, Fetched, Step>,
  caller: AbortSignal | undefined,
): AsyncGenerator<Step> {
  let requests = abortable(caller);
  const start = (target: Target) => {
    const result = fetch(target, requests.signal);
    // Awaited in turn. Rejections of steps that are never read are ignored on purpose.
    result.catch(() => {});
    return { target, result };
  };

  let ahead = first ? [start(first)] : [];
  let wanted = 1;
  let maxWanted = maxAhead;
  try {
    for (let step = ahead.shift(); step; step = ahead.shift()) {
      const fetched = await step.result;
      const next = nextOf(fetched);
      const [predicted] = ahead;
      if (predicted && !(next && isSame(predicted.target, next))) {
        requests.abort();
        requests = abortable(caller);
        ahead = [];
        wanted = maxWanted = 1;
      }
      if (next && ahead.length === 0) ahead.push(start(next));
      for (let last = ahead.at(-1); last && ahead.length < wanted; last = ahead.at(-1)) {
        const prediction = predictNext(last.target, fetched);
        if (!prediction) break;
        ahead.push(start(prediction));
      }
      yield read(fetched);
      wanted = Math.min(wanted + 1, maxWanted);
    }
  } finally {
    requests.abort();
  }
}

function abortable(caller: AbortSignal | undefined) {
  const controller = new AbortController();
  const signal = caller ? AbortSignal.any([caller, controller.signal]) : controller.signal;
  return { signal, abort: () => controller.abort() };
}
