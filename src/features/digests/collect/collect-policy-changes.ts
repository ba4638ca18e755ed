import { type ListChanges, weakeningFirst } from '../../policy-watches/index.ts';
import { reportedPeriod } from './collect-alerts.ts';
import type { ChangedPolicies } from './digest-contents.ts';

/** More are only counted as "more than". */
const maxChanges = 1000;

/**
 * The changes to policies in the period, each in exactly one digest: those of the last minute are left
 * to the next one, because a change is stored a moment after the time that it carries.
 */
export async function collectPolicyChanges(
  listPolicyChanges: ListChanges,
  { teamId, since, now }: { teamId: string; since: Date; now: Date },
): Promise<ChangedPolicies> {
  const period = reportedPeriod({ since, now });
  const found = await listPolicyChanges({ teamId, ...period, limit: maxChanges + 1 });
  const changes = weakeningFirst(found.slice(0, maxChanges));
  return { changes, isComplete: found.length <= maxChanges };
}
