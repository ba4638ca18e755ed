import { connectionIdsOf, type OriginRef } from '../../../database/connection-origin.ts';
import type { Database } from '../../../database/tables.ts';

/** For readings that fail, which are repeated every few minutes, and for readings that are late. */
const maxUnreadMs = 60 * 60_000;

/** The status of the policy readings of a connection. */
type PolicyHealth = {
  /** When the first and the last reading that succeeded began. */
  observedSince: Date | undefined;
  readAt: Date | undefined;
  /** When the next reading is due. */
  nextAt: Date;
  /** Since when every reading has failed, and the last cause, as mrkdwn. */
  failing: { since: Date; reason: string } | undefined;
  /** Since when the service has listed no policies. */
  unlistedSince: Date | undefined;
};

/**
 * Since when changes made outside Belay are unknown: after failures for an hour, or if the next reading
 * is an hour late because Belay was stopped or can't keep up. Else undefined.
 */
export function unreadSince(health: PolicyHealth | undefined, now: Date): Date | undefined {
  if (!health) return undefined;
  const { readAt, nextAt, failing } = health;
  // Failures move `nextAt`, but not `readAt`.
  const expectedAt = failing ? readAt : nextAt;
  return expectedAt && +now - +expectedAt < maxUnreadMs ? undefined : (readAt ?? failing?.since);
}

/** Undefined if nobody watches the policies of the connection. */
export async function readPolicyHealth(
  db: Database,
  of: OriginRef,
): Promise<PolicyHealth | undefined> {
  const row = await db
    .selectFrom('policy_observation')
    .innerJoin('connection', 'connection.id', 'policy_observation.connection_id')
    .selectAll('policy_observation')
    .where('policy_observation.team_id', '=', of.teamId)
    .where('connection.id', 'in', connectionIdsOf(of))
    .where('connection.replaced_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { failing_since: since, failure } = row;
  return {
    observedSince: row.observed_since ?? undefined,
    readAt: row.observed_at ?? undefined,
    nextAt: row.next_at,
    failing: since ? { since, reason: failure ?? '' } : undefined,
    unlistedSince: row.unlisted_since ?? undefined,
  };
}
