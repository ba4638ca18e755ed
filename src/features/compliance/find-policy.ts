import { suggestSimilar } from '../../slack/ui/suggest.ts';
import type { PolicyName } from './read-all-compliance.ts';

export type FoundPolicy =
  | { result: 'found'; policy: PolicyName }
  | { result: 'several'; policies: PolicyName[] }
  | { result: 'none'; nearest: PolicyName[] };

const maxSuggestions = 3;

/** Whom a person means: by id, else by whole name, else by a part of the name; never a guess. */
export function findPolicy(policies: PolicyName[], asked: string): FoundPolicy {
  const byId = policies.find(({ id }) => id === asked);
  if (byId) return { result: 'found', policy: byId };

  const wanted = asked.toLowerCase();
  const named = policies.filter(({ name }) => name.toLowerCase() === wanted);
  const matches =
    named.length > 0 ? named : policies.filter(({ name }) => name.toLowerCase().includes(wanted));
  const [only] = matches;
  if (!only) return { result: 'none', nearest: suggestSimilar(wanted, policies, maxSuggestions) };
  return matches.length === 1
    ? { result: 'found', policy: only }
    : { result: 'several', policies: matches };
}
