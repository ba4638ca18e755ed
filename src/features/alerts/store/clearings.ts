import type { AppendEntry } from '../../../audit-log/append.ts';
import { batchesOf } from '../../../database/batches.ts';
import { storable } from '../../../database/canonical-text.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { subMilliseconds } from '../../../dates.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import type { Clearing } from '../clearing/clearing.ts';
import { clearingTimings } from '../clearing/timings.ts';
import { enqueueProgress, type Render } from './clearing-progress.ts';
import { toClearing } from './clearing-row.ts';
import { createClearingWork } from './clearing-work.ts';

type Proposal = Omit<Clearing, 'confirmedAt' | 'channelId' | 'note' | 'postedAt'>;
type ClearingRef = Pick<Clearing, 'id' | 'teamId'>;
type Confirmation = ClearingRef & Pick<Clearing, 'createdBy' | 'channelId' | 'note'> & { at: Date };

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
    confirm: (
      { id, teamId, createdBy, channelId, note, at }: Confirmation,
      render: Render,
    ): Promise<boolean> =>
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
        const posting = { render, at, enqueueMessages };
        const { total } = await enqueueProgress(trx, toClearing(row), posting);
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

    ...createClearingWork(db, { append, enqueueMessages, isServed }),

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

export const purgeClearings = purgeTables('alert_clearing_item', 'alert_clearing');
