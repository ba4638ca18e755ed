export type Steps<Target, Fetched, Step> = {
  fetch: (target: Target, signal: AbortSignal) => Promise<Fetched>;
  /** Where it leads. Throws for what must not be gone on from. */
  nextOf: (fetched: Fetched) => Target | undefined;
  /** What may well come after `target`, judged by what was fetched last. */
  guessAfter: (target: Target, fetched: Fetched) => Target | undefined;
  isSame: (one: Target, other: Target) => boolean;
  read: (fetched: Fetched) => Step;
};

const maxAhead = 3;

/**
 * Steps one after the other, with the next on their way while this one is read and used: one, and
 * up to three as the walk goes on. Beyond the first they are guesses. Only what a step leads to is
 * ever read, so that a wrong guess costs requests and nothing else; after one no more are made.
 * What nobody will read is called off.
 */
export async function* readAhead<Target, Fetched, Step>(
  first: Target | undefined,
  { fetch, nextOf, guessAfter, isSame, read }: Steps<Target, Fetched, Step>,
  caller: AbortSignal | undefined,
): AsyncGenerator<Step> {
  let calls = openCalls(caller);
  const begin = (target: Target) => {
    const coming = fetch(target, calls.signal);
    // Its failure is told when its turn comes. When that never comes it is nobody's business.
    coming.catch(() => {});
    return { target, coming };
  };

  let ahead = first ? [begin(first)] : [];
  let wanted = 1;
  let most = maxAhead;
  try {
    for (let step = ahead.shift(); step; step = ahead.shift()) {
      const fetched = await step.coming;
      const next = nextOf(fetched);
      const [guessed] = ahead;
      if (guessed && !(next && isSame(guessed.target, next))) {
        calls.callOff();
        calls = openCalls(caller);
        ahead = [];
        wanted = most = 1;
      }
      if (next && ahead.length === 0) ahead.push(begin(next));
      for (let last = ahead.at(-1); last && ahead.length < wanted; last = ahead.at(-1)) {
        const guess = guessAfter(last.target, fetched);
        if (!guess) break;
        ahead.push(begin(guess));
      }
      yield read(fetched);
      wanted = Math.min(wanted + 1, most);
    }
  } finally {
    calls.callOff();
  }
}

function openCalls(caller: AbortSignal | undefined) {
  const leaving = new AbortController();
  const signal = caller ? AbortSignal.any([caller, leaving.signal]) : leaving.signal;
  return { signal, callOff: () => leaving.abort() };
}
