import { suggestSimilar } from '../../slack/ui/suggest.ts';
import type { PolicyName } from './read-compliance.ts';

export type FoundPolicy<P extends PolicyName = PolicyName> =
  | { result: 'found'; policy: P }
  | { result: 'several'; policies: P[] }
  | { result: 'none'; nearest: P[] };

const maxSuggestions = 3;

/** By id, else by whole name, else by part of the name, ignoring case. An ambiguous text finds several. */
export function findPolicy<P extends PolicyName>(
  policies: readonly P[],
  nameOrId: string,
): FoundPolicy<P> {
  const byId = policies.find(({ id }) => id === nameOrId);
  if (byId) return { result: 'found', policy: byId };

  const wanted = nameOrId.toLowerCase();
  const named = policies.filter(({ name }) => name.toLowerCase() === wanted);
  const matches =
    named.length > 0 ? named : policies.filter(({ name }) => name.toLowerCase().includes(wanted));
  const [only] = matches;
  if (!only) return { result: 'none', nearest: suggestSimilar(wanted, policies, maxSuggestions) };
  return matches.length === 1
    ? { result: 'found', policy: only }
    : { result: 'several', policies: matches };
}
