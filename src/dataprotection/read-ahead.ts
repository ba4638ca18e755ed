/**
 * Steps one after the other, with the next one on its way while this one is read and used. Never
 * more than one is ahead; it is called off when the consumer leaves.
 */
export async function* readAhead<Target, Fetched, Step>(
  first: Target | undefined,
  { fetch, nextOf, read }: Steps<Target, Fetched, Step>,
  caller: AbortSignal | undefined,
): AsyncGenerator<Step> {
  const leaving = new AbortController();
  const signal = caller ? AbortSignal.any([caller, leaving.signal]) : leaving.signal;
  const begin = (target: Target) => {
    const coming = fetch(target, signal);
    // Its failure is told when its turn comes. When that never comes it is nobody's business.
    coming.catch(() => {});
    return { coming };
  };

  let ahead = first && begin(first);
  try {
    while (ahead) {
      const fetched = await ahead.coming;
      const next = nextOf(fetched);
      ahead = next && begin(next);
      yield read(fetched);
    }
  } finally {
    leaving.abort();
  }
}

export type Steps<Target, Fetched, Step> = {
  fetch: (target: Target, signal: AbortSignal) => Promise<Fetched>;
  nextOf: (fetched: Fetched) => Target | undefined;
  read: (fetched: Fetched) => Step;
};
