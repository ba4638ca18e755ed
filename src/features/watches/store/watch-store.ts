import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { createSubscriptionStore } from '../../../subscriptions/store.ts';
import type {
  ChangedBy,
  Channel,
  NewSubscription,
  Ref,
} from '../../../subscriptions/subscription.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { type AlertSearch, pruneAlertStates } from '../../alerts/index.ts';
import type { RetentionCutoffs } from '../decide-post.ts';
import type { QuietHours } from '../quiet-hours.ts';
import type { Reminder } from '../reminders/reminder.ts';
import type { Anchor, Outage, Watch } from '../watch.ts';
import { lockPoll } from './read-watches.ts';
import { alertWatches, watchFamily } from './watch-kinds.ts';
import { anchorColumns, storeKnown } from './watch-row.ts';

export type NewWatch = NewSubscription & {
  /** The connection in use. */
  connectionId: string;
  search: AlertSearch;
  quietHours?: QuietHours | undefined;
  reminder?: Reminder | undefined;
  /** The watch posts alerts that are raised after it was read. */
  anchor: Anchor;
};

/** The connection's poll is locked. */
export async function insertAlertWatch(
  trx: Transaction<Tables>,
  watch: NewWatch,
): Promise<Watch | undefined> {
  const { id, connectionId, search, quietHours, reminder, anchor, at } = watch;
  const inserted = await alertWatches.insert(trx, watch, {
    connection_id: connectionId,
    search: JSON.stringify(search),
    quiet_hours: quietHours ? JSON.stringify(quietHours) : null,
    reminder: reminder ? JSON.stringify(reminder) : null,
    ...anchorColumns(anchor),
  });
  await storeKnown(trx, id, anchor, at);
  return inserted;
}

/** What a watch was changed to, or the one that has the filter already. */
type ChangeResult = { result: 'changed' | 'duplicate'; watch: Watch };

export type ListedWatch = Watch & { pausedAt: Date | undefined; outage: Outage | undefined };

export type WatchStore = ReturnType<typeof createWatchStore>;

/** The connection's poll is locked after the connection, before all else that a subscription store locks. */
export function createWatchStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  const { announce, create, shared } = createSubscriptionStore(db, alertWatches, {
    family: watchFamily,
    enqueueMessages,
  });
  return {
    ...shared,

    /** The channel has at most one watch of the connection with the same filter, and `max` in all. */
    create: (watch: NewWatch, { max }: { max: number }) =>
      db.transaction().execute((trx) => {
        const same = { on: watch, where: hasSearch(watch.search) };
        const lockNext = () => lockPoll(trx, watch);
        return create(trx, watch, { same, max, lockNext }, () => insertAlertWatch(trx, watch));
      }),

    /** Oldest first. */
    async list({ teamId, channelId }: Channel): Promise<ListedWatch[]> {
      const rows = await db
        .selectFrom('watch')
        .leftJoin('alert_poll', 'alert_poll.connection_id', 'watch.connection_id')
        .selectAll('watch')
        .select(['alert_poll.outage_reason', 'alert_poll.outage_since'])
        .where('watch.team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .where('ended_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ outage_reason: reason, outage_since: since, ...row }) => ({
        ...alertWatches.read(row),
        pausedAt: row.paused_at ?? undefined,
        outage: reason && since ? { reason, since } : undefined,
      }));
    },

    /**
     * The new filter applies to what the watch has not seen yet; what its quiet hours hold is posted. A
     * duplicate is the other watch with this filter, after which nothing was changed. Undefined when the
     * watch has ended.
     */
    change: ({
      search,
      quietHours,
      reminder,
      by,
      at,
      ...ref
    }: Ref & ChangedBy & Pick<NewWatch, 'search' | 'quietHours' | 'reminder'>): Promise<
      ChangeResult | undefined
    > =>
      db.transaction().execute(async (trx) => {
        const before = await alertWatches.findLocked(trx, ref);
        if (!before) return undefined;
        const { teamId, channelId } = before;
        const where = hasSearch(search);
        const same = await alertWatches.find(trx, { teamId, channelId, on: before, where });
        if (same && same.id !== ref.id) return { result: 'duplicate', watch: same };
        const options = [quietHours, reminder];
        if (same && isDeepStrictEqual([same.quietHours, same.reminder], options))
          return { result: 'changed', watch: same };
        const watch = await alertWatches.change(trx, ref, {
          search: JSON.stringify(search),
          ...quietColumns(quietHours, at),
          ...reminderColumns(reminder, at),
          changed_by: by,
          changed_at: at,
          // Only alerts that matched the old filter are stored.
          anchor: same ? sql`anchor` : sql`greatest(anchor, high_water)`,
        });
        if (!watch) return undefined;
        await announce(trx, watch, 'changed', { by, at });
        return { result: 'changed', watch };
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
    }: Omit<NewWatch, 'id' | 'search' | 'createdBy'>): Promise<number> =>
      db.transaction().execute(async (trx) => {
        await lockPoll(trx, { teamId, connectionId, at });
        const filter = { teamId, channelId, on: { teamId, originId } };
        const restarted = { ...anchorColumns(anchor), connection_id: connectionId };
        const resumed = await alertWatches.resume(trx, filter, () => restarted);
        for (const { id } of resumed) await storeKnown(trx, id, anchor, at);
        return resumed.length;
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
      await pruneAlertStates(db, { before: all, isServed });
    },
  };
}

/** What other quiet hours hold is due at once. */
export function quietColumns(quietHours: QuietHours | undefined, at: Date) {
  const stored = quietHours ? JSON.stringify(quietHours) : null;
  return {
    quiet_hours: stored,
    quiet_until: sql`case
      when quiet_until is null or quiet_hours is not distinct from ${stored}::jsonb then quiet_until
      else ${at}::timestamptz end`,
  };
}

/** A reminder that was changed is due at once, as if there had been none before. */
export function reminderColumns(reminder: Reminder | undefined, at: Date) {
  const stored = reminder ? JSON.stringify(reminder) : null;
  const unless = (kept: string, then: RawBuilder<unknown>) =>
    sql`case when reminder is not distinct from ${stored}::jsonb then ${sql.ref(kept)} else ${then} end`;
  return {
    reminder: stored,
    remind_at: unless('remind_at', sql`${stored && at}::timestamptz`),
    reminded_at: unless('reminded_at', sql`null`),
    reminder_count: unless('reminder_count', sql`0`),
  };
}

/** After an error was posted: looked at once the time is over, if a reminder isn't due before. */
export function remindAfter(at: Date) {
  const minutes = sql`(reminder ->> 'afterMinutes')::integer`;
  return sql<Date | null>`least(remind_at, ${at}::timestamptz + make_interval(mins => ${minutes}))`;
}

function hasSearch(search: AlertSearch): RawBuilder<SqlBool> {
  return sql`search = ${JSON.stringify(search)}::jsonb`;
}
