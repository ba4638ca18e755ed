import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEntry } from '../../../audit-log/entry.ts';
import { batchesOf } from '../../../database/batches.ts';
import { storable } from '../../../database/canonical-text.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import { parseEach, parseRow, type UnreadableRowError } from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { subMilliseconds } from '../../../dates.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { alertSearchSchema } from '../alert-search.ts';
import {
  type Clearing,
  type ClearingItem,
  type ClearingProgress,
  type ClearingResult,
  clearingTimings,
  type ItemResult,
  type LeasedClearing,
} from '../clearing/clearing.ts';
import { clearingMessage } from '../views/clearing-message.ts';
import type { AlertTables } from './tables.ts';

type Proposal = Omit<Clearing, 'confirmedAt' | 'channelId' | 'note' | 'postedAt'>;
type ClearingRef = Pick<Clearing, 'id' | 'teamId'>;
type Confirmation = ClearingRef & Pick<Clearing, 'createdBy' | 'channelId' | 'note'> & { at: Date };

/** Whatever this process does now must not count. */
class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export type Clearings = ReturnType<typeof createClearings>;

/**
 * Alerts that people clear at once. Each alert gets one result, and each clearing is started and ended
 * once, whatever happens to the process that works on it.
 */
export function createClearings(
  db: Database,
  {
    append,
    enqueueMessages,
    isServed,
  }: { append: AppendEntry; enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  /** Queues the message about the progress, which edits the one before. */
  async function enqueueProgress(
    trx: Transaction<Tables>,
    clearing: Clearing,
    at: Date,
  ): Promise<ClearingProgress> {
    const { id, teamId, originId, channelId, createdBy } = clearing;
    const progress = await readProgress(trx, clearing);
    const to = { teamId, originId, channelId, ownerSlackUserId: createdBy };
    const outgoing = { subject: `clearing:${id}`, message: clearingMessage(clearing, progress) };
    await enqueueMessages(trx, to, [outgoing], at);
    return progress;
  }

  /** @throws LeaseLostError if another process has taken over */
  const underLease = (
    { holder, clearing: { id, teamId } }: LeasedClearing,
    record: (trx: Transaction<Tables>) => Promise<void>,
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const held = await trx
        .selectFrom('alert_clearing')
        .select('id')
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where(isHeldBy(holder))
        // Alerts of one clearing are worked on at once.
        .forShare()
        .executeTakeFirst();
      if (!held) throw new LeaseLostError('another process continues this clearing');
      await record(trx);
    });

  return {
    /** Stores the alerts that a form shows. */
    propose: (
      { id, teamId, connectionId, originId, search, createdBy }: Proposal,
      { alertIds, at }: { alertIds: string[]; at: Date },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('alert_clearing')
          .values({
            id,
            team_id: teamId,
            connection_id: connectionId,
            connection_origin_id: originId,
            search: JSON.stringify(search),
            created_by: createdBy,
            created_at: at,
          })
          .execute();
        const items = alertIds.map((alertId, position) => ({
          clearing_id: id,
          position,
          team_id: teamId,
          alert_id: storable(alertId),
          due_at: at,
        }));
        for (const batch of batchesOf(items))
          await trx.insertInto('alert_clearing_item').values(batch).execute();
      }),

    /** How many alerts the person's form shows; undefined if it was deleted. */
    async count({
      id,
      teamId,
      createdBy,
    }: ClearingRef & Pick<Clearing, 'createdBy'>): Promise<number | undefined> {
      const { total } = await db
        .selectFrom('alert_clearing_item as item')
        .innerJoin('alert_clearing as clearing', 'clearing.id', 'item.clearing_id')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('item.team_id', '=', teamId)
        .where('item.clearing_id', '=', id)
        .where('clearing.created_by', '=', createdBy)
        .executeTakeFirstOrThrow();
      return total > 0 ? total : undefined;
    },

    /** Starts it, with its entry and its message. False if that was done before, or is too late. */
    confirm: ({ id, teamId, createdBy, channelId, note, at }: Confirmation): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('alert_clearing')
          .set({
            confirmed_at: at,
            channel_id: channelId,
            note: note === undefined ? null : storable(note),
            next_at: at,
            posted_at: at,
          })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('created_by', '=', createdBy)
          .where('confirmed_at', 'is', null)
          .where('created_at', '>', subMilliseconds(at, clearingTimings.draftMs))
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        const { total } = await enqueueProgress(trx, toClearing(row), at);
        await append(trx, {
          teamId,
          at,
          event: 'alert_clearing_started',
          actor: createdBy,
          action: 'alerts.clear',
          facts: { clearing: id, alerts: total },
          personal: note === undefined ? undefined : { note },
        });
        return true;
      }),

    /** Takes those that are due. What follows, until `release`, is for the process that has taken it. */
    async lease(
      lease: Lease,
      limit: number,
    ): Promise<{ parsed: LeasedClearing[]; unreadable: UnreadableRowError[] }> {
      const rows = await leaseRows(db, lease, {
        table: 'alert_clearing',
        key: ['id'],
        isServed,
        isDue: sql`next_at <= ${lease.at}`,
        orderBy: ['next_at'],
        limit,
      });
      return parseEach(rows, (row) => {
        const ref = { table: 'alert_clearing', id: row.id, teamId: row.team_id } as const;
        const clearing = parseRow(ref, () => toClearing(row));
        return { teamId: row.team_id, holder: lease.holder, clearing };
      });
    },

    /** Alerts to try now, those first that have waited longest. */
    async listDue(
      { clearing: { id, teamId } }: LeasedClearing,
      { at, limit }: { at: Date; limit: number },
    ): Promise<ClearingItem[]> {
      const rows = await db
        .selectFrom('alert_clearing_item')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('clearing_id', '=', id)
        .where('result', 'is', null)
        .where('due_at', '<=', at)
        .orderBy('due_at')
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(({ position, alert_id, attempts, sent_at }) => ({
        position,
        alertId: alert_id,
        attempts,
        mayBeDone: sent_at !== null,
      }));
    },

    /**
     * Writes an entry about an alert, and in the same transaction what it means for the alert: about to be
     * sent, certainly not done, or cleared.
     */
    log: (leased: LeasedClearing, item: ClearingItem, entry: AuditEntry): Promise<void> =>
      underLease(leased, async (trx) => {
        const { event, at, facts } = entry;
        const isDone = event === 'alert_cleared' && facts?.outcome === 'done';
        if (event === 'started') await updateItem(trx, leased, item).set({ sent_at: at }).execute();
        if (event === 'failed')
          await updateItem(trx, leased, item).set({ sent_at: null }).execute();
        if (isDone) await updateItem(trx, leased, item).set({ result: 'cleared' }).execute();
        const attempt = item.attempts > 0 ? { attempt: item.attempts + 1 } : {};
        await append(trx, {
          ...entry,
          facts: { ...facts, clearing: leased.clearing.id, ...attempt },
        });
      }),

    /** What the entries of the alert don't say. */
    record: (
      leased: LeasedClearing,
      item: ClearingItem,
      { result, isNoteMissing }: ItemResult,
    ): Promise<void> =>
      underLease(leased, async (trx) => {
        await updateItem(trx, leased, item)
          .set({ result, is_note_missing: isNoteMissing })
          .execute();
      }),

    /** The alert is tried again then. */
    retry: (leased: LeasedClearing, item: ClearingItem, dueAt: Date): Promise<void> =>
      underLease(leased, async (trx) => {
        const attempts = item.attempts + 1;
        await updateItem(trx, leased, item).set({ attempts, due_at: dueAt }).execute();
      }),

    /**
     * Tries this alert, or all that are left, no more. What may have been sent has an unknown outcome.
     * `detail` says why, as mrkdwn.
     */
    giveUp: (leased: LeasedClearing, detail: string, item?: ClearingItem): Promise<void> =>
      underLease(leased, async (trx) => {
        const isSent = sql`sent_at is not null`;
        const given = item ? updateItem(trx, leased, item) : updateItems(trx, leased);
        await given
          .where('result', 'is', null)
          .set({
            result: sql`case when ${isSent} then 'unknown_outcome' else 'not_cleared' end`,
            detail: storable(detail),
          })
          .execute();
      }),

    /** Shows the progress in its message. */
    post: (leased: LeasedClearing, at: Date): Promise<void> =>
      underLease(leased, async (trx) => {
        await trx
          .updateTable('alert_clearing')
          .set({ posted_at: at })
          .where('team_id', '=', leased.teamId)
          .where('id', '=', leased.clearing.id)
          .execute();
        await enqueueProgress(trx, leased.clearing, at);
      }),

    /** Releases it until the next alert is due, or ends it with its last message if none is left. */
    release: (leased: LeasedClearing, at: Date): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { id, teamId } = leased.clearing;
        const next = await trx
          .selectFrom('alert_clearing_item')
          .select(({ fn }) => fn.min<Date | null>('due_at').as('due_at'))
          .where('team_id', '=', teamId)
          .where('clearing_id', '=', id)
          .where('result', 'is', null)
          .executeTakeFirst();
        const nextAt = next?.due_at ?? null;
        const ended = nextAt ? {} : { finished_at: at, note: null };
        const row = await trx
          .updateTable('alert_clearing')
          .set({ next_at: nextAt, ...ended, ...released })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where(isHeldBy(leased.holder))
          .returning('id')
          .executeTakeFirst();
        if (!row || nextAt) return;
        const { createdBy: actor } = leased.clearing;
        const { total, results } = await enqueueProgress(trx, leased.clearing, at);
        const facts = { clearing: id, alerts: total, ...results };
        const event = 'alert_clearing_finished';
        await append(trx, { teamId, at, event, actor, action: 'alerts.clear', facts });
      }),

    /** Deletes what nobody confirmed in time, and old results. */
    async prune(at: Date): Promise<void> {
      const { draftMs, retentionMs } = clearingTimings;
      const pruned = db.deleteFrom('alert_clearing').where(isServed('alert_clearing.team_id'));
      await pruned
        .where('confirmed_at', 'is', null)
        .where('created_at', '<=', subMilliseconds(at, draftMs))
        .execute();
      await pruned.where('finished_at', '<=', subMilliseconds(at, retentionMs)).execute();
    },
  };
}

function updateItems(trx: Transaction<Tables>, { clearing }: LeasedClearing) {
  return trx
    .updateTable('alert_clearing_item')
    .where('team_id', '=', clearing.teamId)
    .where('clearing_id', '=', clearing.id);
}

function updateItem(trx: Transaction<Tables>, leased: LeasedClearing, item: ClearingItem) {
  return updateItems(trx, leased).where('position', '=', item.position);
}

/** Counted from the alerts, so that the numbers always add up. */
async function readProgress(
  trx: Transaction<Tables>,
  { id, teamId }: ClearingRef,
): Promise<ClearingProgress> {
  const rows = await trx
    .selectFrom('alert_clearing_item')
    .select(['result', 'detail', 'is_note_missing'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('clearing_id', '=', id)
    .groupBy(['result', 'detail', 'is_note_missing'])
    .execute();
  const sum = (counted: typeof rows) => counted.reduce((total, { count }) => total + count, 0);
  const countOf = (result: ClearingResult | null) =>
    sum(rows.filter((row) => row.result === result));
  const byCause = Map.groupBy(rows, ({ detail }) => detail ?? '');
  byCause.delete('');
  return {
    total: sum(rows),
    results: {
      cleared: countOf('cleared'),
      already_cleared: countOf('already_cleared'),
      not_found: countOf('not_found'),
      not_cleared: countOf('not_cleared'),
      unknown_outcome: countOf('unknown_outcome'),
    },
    left: countOf(null),
    notesMissing: sum(rows.filter(({ is_note_missing }) => is_note_missing)),
    causes: [...byCause]
      .map(([detail, counted]) => ({ detail, count: sum(counted) }))
      .toSorted((one, other) => other.count - one.count),
  };
}

/** Of what was confirmed. */
const confirmed = z.object({
  search: alertSearchSchema,
  confirmed_at: z.date(),
  channel_id: z.string(),
});

/** @throws {z.ZodError} */
function toClearing(row: Selectable<AlertTables['alert_clearing']>): Clearing {
  const { search, confirmed_at: confirmedAt, channel_id: channelId } = confirmed.parse(row);
  return {
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    originId: row.connection_origin_id,
    search,
    createdBy: row.created_by,
    confirmedAt,
    channelId,
    note: row.note ?? undefined,
    postedAt: row.posted_at ?? undefined,
  };
}

export const purgeClearings = purgeTables('alert_clearing_item', 'alert_clearing');
