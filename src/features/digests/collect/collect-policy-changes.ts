import { type PolicyChanges, unreadSince, weakeningFirst } from '../../policy-watches/index.ts';
import { reportedPeriod } from './collect-alerts.ts';
import type { ChangedPolicies } from './digest-contents.ts';

/** More are only counted as "more than". */
const maxChanges = 1000;

/**
 * The changes to policies in the period, each in exactly one digest: those of the last minute are left
 * to the next one, because a change is stored a moment after the time that it carries.
 */
export async function collectPolicyChanges(
  policyChanges: Pick<PolicyChanges, 'list' | 'readHealth'>,
  { teamId, since, now }: { teamId: string; since: Date; now: Date },
): Promise<ChangedPolicies> {
  const period = reportedPeriod({ since, now });
  const [found, health] = await Promise.all([
    policyChanges.list({ teamId, ...period, limit: maxChanges + 1 }),
    policyChanges.readHealth(teamId),
  ]);
  const changes = weakeningFirst(found.slice(0, maxChanges));
  return {
    ...{ changes, isComplete: found.length <= maxChanges },
    unreadSince: unreadSince(health, now),
    isListed: health?.readAt !== undefined && health.unlistedSince === undefined,
  };
}
