import { suggestSimilar } from '../../slack/ui/suggest.ts';
import type { PolicyName } from './read-compliance.ts';

export type FoundPolicy =
  | { result: 'found'; policy: PolicyName }
  | { result: 'several'; policies: PolicyName[] }
  | { result: 'none'; nearest: PolicyName[] };

const maxSuggestions = 3;

/** By id, else by whole name, else by part of the name, ignoring case. An ambiguous text finds several. */
export function findPolicy(policies: PolicyName[], nameOrId: string): FoundPolicy {
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
