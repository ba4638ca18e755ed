import { isDeepStrictEqual } from 'node:util';
import type { PolicyDefinition } from '../../dataprotection/resources/policies.ts';
import type { ChangingRequest } from '../../requests/store/find-changing-requests.ts';
import {
  comparePolicies,
  createPayload,
  findDeviations,
  hasSameContent,
  isReplaced,
  type PolicyChange,
  type ReplacePayload,
  replacePayload,
  weakerFirst,
} from '../policies/index.ts';
import type { RecordedChange } from './recorded-change.ts';

/** A policy as the service lists it, without the fields that only the service writes. */
export type ListedPolicy = { id: string; definition: PolicyDefinition };

export type ObservedPolicy = ListedPolicy & { isMissing: boolean };

/** A change that was made outside Belay. */
export type ExternalChange = Omit<RecordedChange, 'at' | 'madeBy'>;

/** What is stored next, and the changes to post. Policies in none of the lists stay as they are. */
export type Findings = {
  seen: ListedPolicy[];
  missing: string[];
  deleted: string[];
  changes: ExternalChange[];
};

/**
 * Compares a list with what was seen last. `requests` are Belay's own about these policies since then,
 * the latest first: their changes are stored and not posted, and changes by others before, between and
 * after them are posted. A policy that a running request may be changing is left for the next reading.
 * A policy counts as deleted once two lists in a row lack it.
 */
export function findChanges(
  observed: ReadonlyMap<string, ObservedPolicy>,
  listed: readonly ListedPolicy[],
  requests: readonly ChangingRequest[],
): Findings {
  const findings: Findings = { seen: [], missing: [], deleted: [], changes: [] };
  const isCreating = requests.some(({ action, isRunning }) => isRunning && isCreation(action));
  for (const policy of listed) {
    const before = observed.get(policy.id);
    const own = requests.filter(({ subjectId }) => subjectId === policy.id);
    if (before && hasSameContent(before.definition, policy.definition)) {
      if (before.isMissing) findings.seen.push(policy);
      continue;
    }
    if (before ? own.some(({ isRunning }) => isRunning) : isCreating) continue;
    findings.seen.push(policy);
    const change = before ? changeSince(before, policy, own) : creationOf(policy, own);
    if (change) findings.changes.push(change);
  }
  const ids = new Set(listed.map(({ id }) => id));
  for (const { id, definition, isMissing } of observed.values()) {
    if (ids.has(id)) continue;
    if (!isMissing) findings.missing.push(id);
    else {
      findings.deleted.push(id);
      const deletion = { policyId: id, name: definition.name, changes: [] };
      findings.changes.push({ ...deletion, kind: 'deleted' });
    }
  }
  return findings;
}

function changeSince(
  { definition: before }: ObservedPolicy,
  { id, definition }: ListedPolicy,
  own: ChangingRequest[],
): ExternalChange | undefined {
  const replaced = replacementsOf(own.filter(({ isCertain }) => isCertain)).toReversed();
  // The policy as seen last may include some of these replacements already.
  const seen = replaced.findLastIndex((change) => isReplaced(change, before));
  const start = seen === -1 ? { definition: before } : { sent: replaced[seen]?.after ?? before };
  const changes = changesBetween(start, replaced.slice(seen + 1), definition);
  const maybe = replacementsOf(own.filter(({ isCertain }) => !isCertain));
  if (maybe.some(({ after }) => findDeviations(after, definition).length === 0)) return undefined;
  const possible = maybe.flatMap((change) => comparePolicies(change.before, change.after));
  const posted = changes.filter((one) => !possible.some((other) => isDeepStrictEqual(one, other)));
  if (posted.length === 0) return undefined;
  return { policyId: id, name: definition.name, kind: 'changed', changes: posted };
}

function creationOf(
  { id, definition }: ListedPolicy,
  own: ChangingRequest[],
): ExternalChange | undefined {
  const created = own.find(({ action }) => isCreation(action));
  const sent = created && createPayload.safeParse(created.payload).data?.after;
  if (!sent) {
    const changes = comparePolicies(undefined, definition);
    return { policyId: id, name: definition.name, kind: 'created', changes };
  }
  const replaced = replacementsOf(own.filter(({ isCertain }) => isCertain)).toReversed();
  const changes = changesBetween({ sent }, replaced, definition);
  if (changes.length === 0) return undefined;
  return { policyId: id, name: definition.name, kind: 'changed', changes };
}

function replacementsOf(own: ChangingRequest[]): ReplacePayload[] {
  return own
    .filter(({ action }) => !isCreation(action))
    .flatMap(({ payload }) => replacePayload.safeParse(payload).data ?? []);
}

/** `sent`: what Belay sent, to which the service may have added its defaults. */
type Known = { definition: PolicyDefinition } | { sent: PolicyDefinition };

/** What others did before, between and after Belay's own changes, the earliest of these first. */
function changesBetween(start: Known, own: ReplacePayload[], now: PolicyDefinition) {
  const changes: PolicyChange[] = [];
  let last = start;
  for (const { before, after } of own) {
    changes.push(...compareKnown(last, before));
    last = { sent: after };
  }
  return weakerFirst([...changes, ...compareKnown(last, now)]);
}

function compareKnown(known: Known, shown: PolicyDefinition): PolicyChange[] {
  if ('definition' in known) return comparePolicies(known.definition, shown);
  return findDeviations(known.sent, shown).length === 0 ? [] : comparePolicies(known.sent, shown);
}

function isCreation(action: string): boolean {
  return action === 'policies.create';
}
