import { sql, type Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEntry } from '../../../audit-log/entry.ts';
import { storable } from '../../../database/canonical-text.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import { parseEach, parseRow, type UnreadableRowError } from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import type { ClearingItem, ItemResult, LeasedClearing } from '../clearing/clearing.ts';
import { enqueueProgress, type Render } from './clearing-progress.ts';
import { toClearing } from './clearing-row.ts';

/** Whatever this process does now must not count. */
class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/** What the process that holds the lease of a clearing reads and records. */
export function createClearingWork(
  db: Database,
  {
    append,
    enqueueMessages,
    isServed,
  }: { append: AppendEntry; enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
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

  const updateItems = (trx: Transaction<Tables>, { clearing }: LeasedClearing) =>
    trx
      .updateTable('alert_clearing_item')
      .where('team_id', '=', clearing.teamId)
      .where('clearing_id', '=', clearing.id);

  const updateItem = (trx: Transaction<Tables>, leased: LeasedClearing, item: ClearingItem) =>
    updateItems(trx, leased).where('position', '=', item.position);

  return {
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
        const left = updateItems(trx, leased).where('result', 'is', null);
        await (item ? left.where('position', '=', item.position) : left)
          .set({
            result: sql`case when ${isSent} then 'unknown_outcome' else 'not_cleared' end`,
            detail: storable(detail),
          })
          .execute();
      }),

    /** Shows the progress in its message. */
    post: (leased: LeasedClearing, options: { render: Render; at: Date }): Promise<void> =>
      underLease(leased, async (trx) => {
        await trx
          .updateTable('alert_clearing')
          .set({ posted_at: options.at })
          .where('team_id', '=', leased.teamId)
          .where('id', '=', leased.clearing.id)
          .execute();
        await enqueueProgress(trx, leased.clearing, { ...options, enqueueMessages });
      }),

    /** Releases it until the next alert is due, or ends it with its last message if none is left. */
    release: (
      leased: LeasedClearing,
      { render, at }: { render: Render; at: Date },
    ): Promise<void> =>
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
        const posting = { render, at, enqueueMessages };
        const { total, results } = await enqueueProgress(trx, leased.clearing, posting);
        const facts = { clearing: id, alerts: total, ...results };
        const event = 'alert_clearing_finished';
        await append(trx, { teamId, at, event, actor, action: 'alerts.clear', facts });
      }),
  };
}
