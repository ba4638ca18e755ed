import { type PolicyChanges, unreadSince, weakeningFirst } from '../../policy-watches/index.ts';
import type { OriginRef } from '../../workspaces/index.ts';
import { reportedPeriod } from './collect-alerts.ts';
import type { ChangedPolicies } from './digest-contents.ts';

/**
 * The changes to policies in the period, each in exactly one digest: those of the last minute are left
 * to the next one, because a change is stored a moment after the time that it carries.
 */
export async function collectPolicyChanges(
  policyChanges: Pick<PolicyChanges, 'list' | 'readHealth'>,
  { since, now, ...of }: OriginRef & { since: Date; now: Date },
): Promise<ChangedPolicies> {
  const [{ changes, isComplete }, health] = await Promise.all([
    policyChanges.list({ ...of, ...reportedPeriod({ since, now }) }),
    policyChanges.readHealth(of),
  ]);
  return {
    changes: weakeningFirst(changes),
    isComplete,
    unreadSince: unreadSince(health, now),
    isListed: health?.readAt !== undefined && health.unlistedSince === undefined,
  };
}
