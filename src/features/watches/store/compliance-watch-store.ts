import { type SqlBool, sql, type Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { OriginRef } from '../../../database/connection-origin.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { createSubscriptionStore, destinationOf } from '../../../subscriptions/store.ts';
import type { ChangedBy, NewSubscription, Ref } from '../../../subscriptions/subscription.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import type { ComplianceWatch } from '../compliance/compliance-watch.ts';
import { complianceRoseMessage } from '../views/compliance-watch-messages.ts';
import { complianceWatches, watchFamily } from './watch-kinds.ts';

type Trx = Transaction<Tables>;

type NewComplianceWatch = NewSubscription &
  Pick<ComplianceWatch, 'policy' | 'maxCount'> & {
    /** The count now; undefined if it is not known, or the service has none. */
    count: number | undefined;
  };

/** Undefined if the channel has a watch of the policy on this connection. */
export function insertComplianceWatch(
  trx: Trx,
  watch: NewComplianceWatch,
): Promise<ComplianceWatch | undefined> {
  const { policy, maxCount, count, at } = watch;
  return complianceWatches.insert(trx, watch, {
    policy_id: policy.id,
    policy_name: storable(policy.name),
    max_count: maxCount,
    next_read_at: at,
    last_count: count ?? null,
    last_read_at: count === undefined ? null : at,
    is_above: count !== undefined && count > maxCount,
  });
}

/** A limit that the last count exceeds already is not reported again. Undefined if it has ended. */
export function changeComplianceWatch(
  trx: Trx,
  {
    policy,
    maxCount,
    createdBy,
    by,
    at,
    ...ref
  }: Ref & Pick<ComplianceWatch, 'policy' | 'maxCount' | 'createdBy'> & ChangedBy,
): Promise<ComplianceWatch | undefined> {
  return complianceWatches.change(trx, ref, {
    policy_name: storable(policy.name),
    max_count: maxCount,
    is_above: sql`coalesce(last_count > ${maxCount}, false)`,
    created_by: createdBy,
    changed_by: by,
    changed_at: at,
  });
}

/** A watch whose policy this process reads now. */
export type LeasedComplianceWatch = OriginRef & {
  id: string;
  lease: Lease;
  /** @throws {UnreadableRowError} */
  read: () => ComplianceWatch;
};

export type ComplianceWatchStore = ReturnType<typeof createComplianceWatchStore>;

export function createComplianceWatchStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  const { announce, create, shared } = createSubscriptionStore(db, complianceWatches, {
    family: watchFamily,
    enqueueMessages,
  });

  return {
    ...shared,

    /** A channel has at most one watch per policy of a connection. `max` includes alert watches. */
    create: (watch: NewComplianceWatch, { max }: { max: number }) =>
      db.transaction().execute((trx) => {
        const same = { on: watch, where: sql<SqlBool>`policy_id = ${watch.policy.id}` };
        return create(trx, watch, { same, max }, () => insertComplianceWatch(trx, watch));
      }),

    /** Undefined if it has ended. */
    changeLimit: ({
      maxCount,
      by,
      at,
      ...ref
    }: Ref & ChangedBy & { maxCount: number }): Promise<'changed' | 'same' | undefined> =>
      db.transaction().execute(async (trx) => {
        const before = await complianceWatches.findLocked(trx, ref);
        if (!before) return undefined;
        if (before.maxCount === maxCount) return 'same';
        const watch = await changeComplianceWatch(trx, { ...before, maxCount, by, at });
        if (watch) await announce(trx, watch, 'changed', { by, at });
        return 'changed';
      }),

    /** Leases one that is due, of none of these connections. */
    async claimDue(
      lease: Lease,
      except: OriginRef[] = [],
    ): Promise<LeasedComplianceWatch | undefined> {
      const [row] = await leaseRows(db, lease, {
        table: 'compliance_watch',
        key: ['id'],
        isServed,
        isDue: sql`next_read_at <= ${lease.at} and paused_at is null
          and ${connectionKey} <> all(${except.map(keyOf)}::text[])`,
        orderBy: ['next_read_at'],
        limit: 1,
        // After a failure, others come first.
        set: sql`next_read_at = ${lease.until}`,
      });
      if (!row) return undefined;
      const { id, team_id: teamId, connection_origin_id: originId } = row;
      return { id, teamId, originId, lease, read: () => complianceWatches.read(row) };
    },

    /**
     * Records a count, and queues the message if it is the first above the limit. A count that the
     * service doesn't have changes nothing. Nothing happens if the lease was lost or the watch paused.
     */
    finish: (
      { teamId, id, lease: { holder } }: LeasedComplianceWatch,
      { count, at, nextReadAt }: { count: number | undefined; at: Date; nextReadAt: Date },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const held = { teamId, id, isPaused: false, where: isHeldBy(holder) };
        const [row] = await complianceWatches.lock(trx, held);
        if (!row) return;
        const isAbove = count === undefined ? row.is_above : count > row.max_count;
        const read = count === undefined ? {} : { last_count: count, last_read_at: at };
        const done = { is_above: isAbove, next_read_at: nextReadAt, ...released };
        await complianceWatches.change(trx, { teamId, id }, { ...read, ...done });
        if (count === undefined || !isAbove || row.is_above) return;
        const watch = complianceWatches.read(row);
        const message = complianceRoseMessage(watch, count);
        // Identified by the reading that was above the limit.
        const subject = `compliance-watch:${id}:${at.getTime()}`;
        await enqueueMessages(trx, destinationOf(watch), [{ subject, message }], at);
      }),
  };
}

/** Of the columns that say which connection a watch is on, as one text. */
const connectionKey = sql`team_id || ' ' || connection_origin_id::text`;

function keyOf({ teamId, originId = '' }: OriginRef): string {
  return `${teamId} ${originId}`;
}
