import leven from 'leven';

/** How many edits (Levenshtein) still count as a typo: 40 % of the name, at least one. */
function maxTypoDistance(name: string): number {
  return Math.max(1, name.length / 2.5);
}

/** Levenshtein's distance, in which two swapped neighbors, as in "hepl", count as one edit. */
function editDistance(typed: string, name: string): number {
  const distance = leven(typed, name);
  // No swap helps where the lengths differ.
  if (typed.length !== name.length) return distance;
  const swapped = Array.from({ length: typed.length - 1 }, (_, at) =>
    [typed.slice(0, at), typed[at + 1], typed[at], typed.slice(at + 2)].join(''),
  );
  return Math.min(distance, ...swapped.map((one) => 1 + leven(one, name)));
}

/** The name that `typed` is most likely a typo of, if one is close enough. Case matters. */
export function suggest(
  typed: string,
  names: readonly string[],
  /** `matchesPrefixes`: the beginning of a name counts as the whole name. */
  { matchesPrefixes = false }: { matchesPrefixes?: boolean } = {},
): string | undefined {
  const distanceTo = (name: string) =>
    matchesPrefixes && name.startsWith(typed) ? 0 : editDistance(typed, name);
  const [best] = rankByDistance(names, distanceTo);
  return best && best.distance <= maxTypoDistance(best.candidate) ? best.candidate : undefined;
}

/**
 * Candidates whose name differs from `typed` by at most half its length, nearest first: for long
 * names that people remember only in part. Case is ignored.
 */
export function suggestSimilar<T extends { name: string }>(
  typed: string,
  candidates: readonly T[],
  maxSuggestions: number,
): T[] {
  const wanted = typed.toLowerCase();
  const maxDistance = Math.max(2, Math.floor(wanted.length / 2));
  return rankByDistance(candidates, ({ name }) => leven(name.toLowerCase(), wanted))
    .filter(({ distance }) => distance <= maxDistance)
    .slice(0, maxSuggestions)
    .map(({ candidate }) => candidate);
}

/** Candidates at the same distance keep their order. */
function rankByDistance<T>(candidates: readonly T[], distanceTo: (candidate: T) => number) {
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
}
