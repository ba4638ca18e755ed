import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import { lockChannel } from '../../../database/lock-channel.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { Outgoing } from '../../../outbox/index.ts';
import {
  destinationOf,
  type EnqueueNamed,
  isOnConnection,
  type OriginRef,
} from '../../workspaces/index.ts';
import type { ComplianceWatch } from '../compliance/compliance-watch.ts';
import { complianceRoseMessage } from '../views/compliance-watch-messages.ts';
import { formatComplianceWatch } from '../views/format-compliance-watch.ts';
import { type WatchChange, watchChangeMessage } from '../views/watch-notices.ts';
import type { WatchRef } from '../watch.ts';
import { countWatches } from './read-watches.ts';
import type { ComplianceWatchTable } from './tables.ts';
import { resumeOthers } from './watch-pausing.ts';

type Channel = { teamId: string; channelId: string };
type Change = WatchRef & { by: string; at: Date };
type NewWatch = Channel &
  Pick<ComplianceWatch, 'id' | 'originId' | 'policy' | 'maxCount'> & {
    enterpriseId: string | undefined;
    /** The count now; undefined if the service has none. */
    count: number | undefined;
    by: string;
    at: Date;
  };

export type ComplianceWatchStore = ReturnType<typeof createComplianceWatchStore>;

/** Compliance watches. Changes enqueue their notice to the channel in the same transaction. */
export function createComplianceWatchStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  function enqueue(trx: Transaction<Tables>, watch: ComplianceWatch, out: Outgoing, at: Date) {
    return enqueueMessages(trx, destinationOf(watch), [out], at);
  }

  async function change(
    trx: Transaction<Tables>,
    before: ComplianceWatch,
    { maxCount, by, at }: { maxCount: number; by: string; at: Date },
  ): Promise<'changed' | 'same'> {
    if (before.maxCount === maxCount) return 'same';
    const { lastCount } = before;
    const watch = { ...before, maxCount };
    await trx
      .updateTable('compliance_watch')
      .set({
        max_count: maxCount,
        is_above: lastCount !== undefined && lastCount > maxCount,
        changed_by: by,
        changed_at: at,
      })
      .where('team_id', '=', before.teamId)
      .where('id', '=', before.id)
      .execute();
    await enqueue(trx, watch, complianceWatchNotice(watch, 'changed', by), at);
    return 'changed';
  }

  return {
    /**
     * A channel has one watch per policy of a connection: saving it again changes its limit. `max`
     * includes alert watches.
     */
    save: (
      { teamId, originId, channelId, policy, count, by, at, ...given }: NewWatch,
      { max }: { max: number },
    ): Promise<'created' | 'changed' | 'same' | 'too-many'> =>
      db.transaction().execute(async (trx) => {
        const { maxCount } = given;
        await lockChannel(trx, 'watches', { teamId, channelId });
        const same = await lockedWatches(trx)
          .where('team_id', '=', teamId)
          .where('channel_id', '=', channelId)
          .where(isOnConnection('compliance_watch', { teamId, originId }))
          .where('policy_id', '=', policy.id)
          .executeTakeFirst();
        if (same) return change(trx, toComplianceWatch(same), { maxCount, by, at });
        if ((await countWatches(trx, { teamId, channelId })) >= max) return 'too-many';
        const row = await trx
          .insertInto('compliance_watch')
          .values({
            id: given.id,
            team_id: teamId,
            channel_id: channelId,
            max_count: maxCount,
            enterprise_id: given.enterpriseId ?? null,
            connection_origin_id: originId,
            policy_id: policy.id,
            policy_name: storable(policy.name),
            created_by: by,
            created_at: at,
            next_read_at: at,
            last_count: count ?? null,
            last_read_at: count === undefined ? null : at,
            is_above: count !== undefined && count > maxCount,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        // Applying the configuration added the same watch at the same time: one row is enough.
        if (!row) return 'same';
        const watch = toComplianceWatch(row);
        await enqueue(trx, watch, complianceWatchNotice(watch, 'added', by), at);
        return 'created';
      }),

    /** Oldest first, paused ones included. */
    async list({ teamId, channelId }: Channel): Promise<ComplianceWatch[]> {
      const rows = await db
        .selectFrom('compliance_watch')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toComplianceWatch);
    },

    async find({ teamId, id }: WatchRef): Promise<ComplianceWatch | undefined> {
      const row = await db
        .selectFrom('compliance_watch')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toComplianceWatch(row);
    },

    /** Undefined if it has ended. */
    changeLimit: ({
      teamId,
      id,
      ...changed
    }: Change & { maxCount: number }): Promise<'changed' | 'same' | undefined> =>
      db.transaction().execute(async (trx) => {
        const row = await lockedWatches(trx)
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .executeTakeFirst();
        return row && change(trx, toComplianceWatch(row), changed);
      }),

    /** True for the caller that ended it. */
    end: ({ teamId, id, by, at }: Change): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('compliance_watch')
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        const watch = toComplianceWatch(row);
        await enqueue(trx, watch, complianceWatchNotice(watch, 'ended', by), at);
        return true;
      }),

    /** Returns how many paused ones are read again. */
    resume: (channel: Channel): Promise<number> => resumeOthers(db, 'compliance_watch', channel),

    /** One that is due, of none of these connections. */
    async claimDue(lease: Lease, except: OriginRef[] = []): Promise<ComplianceWatch | undefined> {
      const [row] = await leaseRows(db, lease, {
        table: 'compliance_watch',
        key: ['id'],
        isServed,
        isDue: sql`next_read_at <= ${lease.at} and paused_at is null
          and ${connectionKey} <> all(${except.map(keyOf)}::text[])`,
        orderBy: ['next_read_at'],
        limit: 1,
      });
      return row && toComplianceWatch(row);
    },

    /**
     * Records a count, and queues the message if it is the first above the limit. A count that the
     * service doesn't have changes nothing. Nothing happens if the lease was lost or the watch paused.
     */
    finish: (
      { teamId, id }: ComplianceWatch,
      holder: string,
      { count, at, nextReadAt }: { count: number | undefined; at: Date; nextReadAt: Date },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const row = await lockedWatches(trx)
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where(isHeldBy(holder))
          .where('paused_at', 'is', null)
          .executeTakeFirst();
        if (!row) return;
        const isAbove = count === undefined ? row.is_above : count > row.max_count;
        await trx
          .updateTable('compliance_watch')
          .set({
            ...(count === undefined ? {} : { last_count: count, last_read_at: at }),
            is_above: isAbove,
            next_read_at: nextReadAt,
            ...released,
          })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .execute();
        if (count === undefined || !isAbove || row.is_above) return;
        const watch = toComplianceWatch(row);
        await enqueue(trx, watch, complianceRoseNotice(watch, count, at), at);
      }),
  };
}

/** Of the columns that say which connection a watch is on, as one text. */
const connectionKey = sql`team_id || ' ' || connection_origin_id::text`;

function keyOf({ teamId, originId = '' }: OriginRef): string {
  return `${teamId} ${originId}`;
}

/** Locked for a change, always in the same order. */
function lockedWatches(trx: Transaction<Tables>) {
  return trx.selectFrom('compliance_watch').selectAll().orderBy('id').forUpdate();
}

function toComplianceWatch(row: Selectable<ComplianceWatchTable>): ComplianceWatch {
  return {
    id: row.id,
    teamId: row.team_id,
    channelId: row.channel_id,
    maxCount: row.max_count,
    originId: row.connection_origin_id,
    policy: { id: row.policy_id, name: row.policy_name },
    createdBy: row.created_by,
    createdAt: row.created_at,
    changedBy: row.changed_by ?? undefined,
    changedAt: row.changed_at ?? undefined,
    lastCount: row.last_count ?? undefined,
    lastReadAt: row.last_read_at ?? undefined,
    pausedReason: row.paused_reason ?? undefined,
  };
}

/** Each change gets its own message, so it never edits an earlier one. */
function complianceWatchNotice(watch: ComplianceWatch, change: WatchChange, by: string): Outgoing {
  const subject = `compliance-watch:${watch.id}:change:${randomUUID()}`;
  const what = formatComplianceWatch(watch);
  return { subject, message: watchChangeMessage(watch.channelId, change, { what, by }) };
}

/** Identified by the reading that was above the limit. */
function complianceRoseNotice(watch: ComplianceWatch, count: number, at: Date): Outgoing {
  const subject = `compliance-watch:${watch.id}:${at.getTime()}`;
  return { subject, message: complianceRoseMessage(watch, count) };
}
