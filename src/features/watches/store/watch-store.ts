import { sql } from 'kysely';
import { lockChannel } from '../../../database/lock-channel.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import type { AlertSearch } from '../../alerts/index.ts';
import { destinationOf, type EnqueueNamed, isOnConnection } from '../../workspaces/index.ts';
import type { RetentionCutoffs } from '../decide-post.ts';
import { watchNotice } from '../notices.ts';
import type { Anchor, Outage, Watch, WatchRef } from '../watch.ts';
import { activeWatches, countWatches, findSame, lockPoll, lockWatch } from './read-watches.ts';
import { anchorColumns, storeKnown, toWatch } from './watch-row.ts';

export type NewWatch = {
  id: string;
  teamId: string;
  enterpriseId: string | undefined;
  connectionId: string;
  originId: string;
  channelId: string;
  search: AlertSearch;
  createdBy: string;
  at: Date;
};

export type CreateResult =
  | { result: 'created'; watch: Watch }
  /** The channel has a watch of the connection with the same filter. */
  | { result: 'duplicate'; watch: Watch }
  | { result: 'too-many' };

/** What a watch was changed to, or the one that has the filter already. */
type ChangeResult = { result: 'changed' | 'duplicate'; watch: Watch };

export type ListedWatch = Watch & { outage: Outage | undefined };

type Change = WatchRef & { by: string; at: Date };

export type WatchStore = ReturnType<typeof createWatchStore>;

/**
 * Watches as people set them up. Watches that have ended are not found. Changes enqueue their notice
 * to the channel in the same transaction. Locks are taken in this order, or two transactions could
 * deadlock: the connection's poll, the channel, watches, what they have seen, the outbox.
 */
export function createWatchStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  return {
    /** `max` is how many watches a channel may have. */
    create: (
      input: NewWatch,
      { anchor, max }: { anchor: Anchor; max: number },
    ): Promise<CreateResult> =>
      db.transaction().execute(async (trx) => {
        const { teamId, channelId, connectionId, at } = input;
        await lockPoll(trx, { teamId, connectionId, at });
        await lockChannel(trx, 'watches', input);
        const same = await findSame(trx, input);
        if (same) return { result: 'duplicate', watch: same };
        if ((await countWatches(trx, { teamId, channelId })) >= max) return { result: 'too-many' };
        const row = await trx
          .insertInto('watch')
          .values({
            id: input.id,
            team_id: teamId,
            enterprise_id: input.enterpriseId ?? null,
            connection_id: connectionId,
            connection_origin_id: input.originId,
            channel_id: channelId,
            search: JSON.stringify(input.search),
            created_by: input.createdBy,
            created_at: at,
            ...anchorColumns(anchor),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await storeKnown(trx, input.id, anchor, at);
        const watch = toWatch(row);
        const notice = watchNotice(watch, 'added', { by: input.createdBy, at });
        await enqueueMessages(trx, destinationOf(watch), [notice], at);
        return { result: 'created', watch };
      }),

    /** Oldest first. */
    async list({
      teamId,
      channelId,
    }: {
      teamId: string;
      channelId: string;
    }): Promise<ListedWatch[]> {
      const rows = await activeWatches(db, teamId)
        .leftJoin('alert_poll', 'alert_poll.connection_id', 'watch.connection_id')
        .selectAll('watch')
        .select(['alert_poll.outage_reason', 'alert_poll.outage_since'])
        .where('channel_id', '=', channelId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ outage_reason: reason, outage_since: since, ...row }) => ({
        ...toWatch(row),
        outage: reason && since ? { reason, since } : undefined,
      }));
    },

    async find({ teamId, id }: WatchRef): Promise<Watch | undefined> {
      const row = await activeWatches(db, teamId)
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toWatch(row);
    },

    /**
     * The new filter applies to what the watch has not seen yet. A duplicate is the other watch with
     * this filter, after which nothing was changed. Undefined when the watch has ended.
     */
    change: ({
      search,
      by,
      at,
      ...ref
    }: Change & { search: AlertSearch }): Promise<ChangeResult | undefined> =>
      db.transaction().execute(async (trx) => {
        const before = await lockWatch(trx, ref);
        if (!before) return undefined;
        const same = await findSame(trx, { ...before, search });
        if (same) return { result: same.id === ref.id ? 'changed' : 'duplicate', watch: same };
        const row = await trx
          .updateTable('watch')
          .set({
            search: JSON.stringify(search),
            changed_by: by,
            changed_at: at,
            // Only alerts that matched the old filter are stored.
            anchor: sql<Date | null>`greatest(anchor, high_water)`,
          })
          .where('team_id', '=', ref.teamId)
          .where('id', '=', ref.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const watch = toWatch(row);
        const notice = watchNotice(watch, 'changed', { by, at });
        await enqueueMessages(trx, destinationOf(watch), [notice], at);
        return { result: 'changed', watch };
      }),

    /** True for the caller that ended it. */
    end: ({ by, at, ...ref }: Change): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const watch = await lockWatch(trx, ref);
        if (!watch) return false;
        await trx
          .updateTable('watch')
          .set({ ended_at: at, ended_by: by })
          .where('team_id', '=', ref.teamId)
          .where('id', '=', ref.id)
          .execute();
        await trx.deleteFrom('watched_alert').where('watch_id', '=', ref.id).execute();
        const notice = watchNotice(watch, 'ended', { by, at });
        await enqueueMessages(trx, destinationOf(watch), [notice], at);
        return true;
      }),

    /**
     * Restarts the channel's paused watches of a connection at the anchor; alerts since they were
     * paused are not posted. Returns how many there were.
     */
    resume: ({
      teamId,
      channelId,
      connectionId,
      originId,
      anchor,
      at,
    }: {
      teamId: string;
      channelId: string;
      connectionId: string;
      originId: string;
      anchor: Anchor;
      at: Date;
    }): Promise<number> =>
      db.transaction().execute(async (trx) => {
        await lockPoll(trx, { teamId, connectionId, at });
        const rows = await trx
          .updateTable('watch')
          .set({
            ...anchorColumns(anchor),
            connection_id: connectionId,
            paused_at: null,
            paused_reason: null,
          })
          .where('team_id', '=', teamId)
          .where('channel_id', '=', channelId)
          .where(isOnConnection('watch', { teamId, originId }))
          .where('ended_at', 'is', null)
          .where('paused_at', 'is not', null)
          .returning('id')
          .execute();
        for (const { id } of rows) await storeKnown(trx, id, anchor, at);
        return rows.length;
      }),

    /** Deletes what was stored of alerts and of ended watches before the cutoffs. */
    async prune({ cleared, all }: RetentionCutoffs): Promise<void> {
      await db
        .deleteFrom('watched_alert')
        // Implied by the next condition, but this one can use the index.
        .where('seen_at', '<', cleared)
        .where((eb) => eb.or([eb('is_cleared', '=', true), eb('seen_at', '<', all)]))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('watch')
              .select('watch.id')
              .whereRef('watch.id', '=', 'watched_alert.watch_id')
              .where(isServed('watch.team_id')),
          ),
        )
        .execute();
      await db
        .deleteFrom('watch')
        .where('ended_at', '<', all)
        .where(isServed('watch.team_id'))
        .execute();
    },
  };
}
