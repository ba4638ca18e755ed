import type { PolicyDefinition } from '../../dataprotection/resources/policies.ts';
import type { PolicyRequest } from '../approvals/index.ts';
import {
  comparePolicies,
  createPayload,
  findDeviations,
  hasSameContent,
  type PolicyChange,
  replacePayload,
} from '../policies/index.ts';

/** A policy as the service lists it, without the fields that only the service writes. */
export type ListedPolicy = { id: string; definition: PolicyDefinition };

export type ObservedPolicy = ListedPolicy & { isMissing: boolean };

/** A change that was made outside Belay. */
export type ExternalChange = {
  policyId: string;
  name: string;
  kind: 'changed' | 'created' | 'deleted';
  /** None for a deletion. */
  changes: PolicyChange[];
};

/** What is stored next, and the changes to post. Policies in neither list stay as they are stored. */
export type Findings = {
  seen: ListedPolicy[];
  missing: string[];
  deleted: string[];
  changes: ExternalChange[];
};

/**
 * Compares a list with what was seen last. `requests` are those of Belay about these policies since
 * then: what one of them made is stored and not posted, and a policy that one of them may be changing
 * right now is left for the next reading. A policy counts as deleted once two lists in a row lack it.
 */
export function findChanges(
  observed: ReadonlyMap<string, ObservedPolicy>,
  listed: readonly ListedPolicy[],
  requests: readonly PolicyRequest[],
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
  before: ObservedPolicy,
  { id, definition }: ListedPolicy,
  own: PolicyRequest[],
): ExternalChange | undefined {
  const approved = own
    .filter(({ action }) => !isCreation(action))
    .map(({ payload }) => replacePayload.safeParse(payload).data?.after)
    .find((after) => after !== undefined);
  // Belay's own change may have been changed again since.
  if (approved && findDeviations(approved, definition).length === 0) return undefined;
  const changes = comparePolicies(approved ?? before.definition, definition);
  if (changes.length === 0) return undefined;
  return { policyId: id, name: definition.name, kind: 'changed', changes };
}

function creationOf(
  { id, definition }: ListedPolicy,
  own: PolicyRequest[],
): ExternalChange | undefined {
  const created = own.find(({ action }) => isCreation(action));
  const approved = created && createPayload.safeParse(created.payload).data?.after;
  if (approved && findDeviations(approved, definition).length === 0) return undefined;
  const changes = comparePolicies(approved, definition);
  if (approved && changes.length === 0) return undefined;
  const kind = approved ? 'changed' : 'created';
  return { policyId: id, name: definition.name, kind, changes };
}

function isCreation(action: string): boolean {
  return action === 'policies.create';
}
