import { type Selectable, type SqlBool, sql, type Transaction, type Updateable } from 'kysely';
import { connectionIdsOf, type OriginRef } from '../../../database/connection-origin.ts';
import { isHeldBy, isUnleased, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { Poll, PollState } from '../watch.ts';
import type { AlertPollTable } from './tables.ts';

/** The connection is in use, and has watches to poll it for. */
export const isPolled = sql<SqlBool>`
  exists (select 1 from connection c
    where c.id = alert_poll.connection_id and c.replaced_at is null
      and exists (select 1 from watch
        where watch.team_id = alert_poll.team_id and watch.connection_origin_id = c.origin_id
          and watch.ended_at is null and watch.paused_at is null))`;

/** When the poll became due that has waited longest for a process, if one waits. */
export async function readOldestDuePoll(
  db: Database,
  at: Date,
  isServed: ServedTeams,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('alert_poll')
    .select('next_poll_at')
    .where('next_poll_at', '<=', at)
    .where(isUnleased('lease_until', at))
    .where(isPolled)
    .where(isServed('alert_poll.team_id'))
    .orderBy('next_poll_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_poll_at;
}

export function toPollState(row: Selectable<AlertPollTable>): PollState {
  const { outage_reason: reason, outage_since: since, outage_notified_at: notifiedAt } = row;
  return {
    connectionId: row.connection_id,
    failures: row.failures,
    failedLookups: row.failed_lookups,
    outage: reason && since ? { reason, since, notifiedAt: notifiedAt ?? undefined } : undefined,
  };
}

/** Updates the poll if `holder` still has its lease; false when another process has taken it over. */
export async function changeLease(
  db: Database | Transaction<Tables>,
  { teamId, connectionId, holder }: Poll,
  change: Updateable<AlertPollTable>,
): Promise<boolean> {
  const row = await db
    .updateTable('alert_poll')
    .set({ lease_holder: holder, ...change })
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where(isHeldBy(holder))
    .returning('connection_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The columns of a poll without an outage. */
export const withoutOutage = {
  failures: 0,
  failed_lookups: 0,
  outage_reason: null,
  outage_since: null,
  outage_notified_at: null,
};

/** The columns of a poll that no process holds, due at `nextPollAt`. */
export function releasedUntil(nextPollAt: Date) {
  return { ...released, next_poll_at: nextPollAt };
}

/** Makes polls that failed due at once, because a connection may have a token that works again. */
export async function pollAtOnce(
  trx: Transaction<Tables>,
  { teamId, at }: { teamId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('alert_poll')
    .set({ next_poll_at: at })
    .where('team_id', '=', teamId)
    .where('failures', '>', 0)
    .where('next_poll_at', '>', at)
    .execute();
}

/**
 * Since when and why the alerts of a connection can't be read; undefined if they can, or if no watch needs
 * them: nothing notices the end of an outage then.
 */
export async function readOutage(
  db: Database,
  of: OriginRef,
): Promise<{ since: Date; reason: string } | undefined> {
  const row = await db
    .selectFrom('alert_poll')
    .innerJoin('connection', 'connection.id', 'alert_poll.connection_id')
    .select(['outage_since', 'outage_reason'])
    .where('alert_poll.team_id', '=', of.teamId)
    .where('connection.id', 'in', connectionIdsOf(of))
    .where(isPolled)
    .executeTakeFirst();
  if (!row?.outage_since) return undefined;
  return { since: row.outage_since, reason: row.outage_reason ?? '' };
}
