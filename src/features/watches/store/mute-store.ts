import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEntry } from '../../../audit-log/entry.ts';
import { parseEach } from '../../../database/parse-rows.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { min } from '../../../dates.ts';
import {
  createSubscriptionStore,
  destinationOf,
  lockChannel,
} from '../../../subscriptions/store.ts';
import type { Channel, NewSubscription, Ref } from '../../../subscriptions/subscription.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { type Mute, maxMutesPerChannel } from '../mutes/mute.ts';
import {
  type HeldCounts,
  muteEndedMessage,
  muteNarrowedMessage,
  quietEndedMessage,
} from '../views/mute-messages.ts';
import type { Watch } from '../watch.ts';
import { alertWatches, muteFamily, mutes } from './watch-kinds.ts';
import { remindAfter } from './watch-store.ts';

type Trx = Transaction<Tables>;
type MuteFields = Pick<Mute, 'search' | 'reason' | 'endsAt'>;
/** Of a person. */
type MuteEntry = AuditEntry & { actor: string };
type NewMute = NewSubscription & MuteFields & { originId: string };

/** A mute that has reached its end, or a watch whose quiet hours have ended. */
export type DueHold = { teamId: string; kind: 'mute' | 'watch'; id: string };

/** What holds an alert: a mute, or the quiet hours of a watch. */
type Holder = { teamId: string } & (
  | { muteId: string }
  | { watchId: string; since?: number | undefined }
);

export type MuteStore = ReturnType<typeof createMuteStore>;

/**
 * Changing or ending a mute locks the watches of its channel before the mute, as recording alerts does. So
 * an alert is either held before that, and counted in the summary, or posted after it if it isn't muted.
 */
export function createMuteStore(
  db: Database,
  {
    enqueueMessages,
    append,
    isServed,
  }: { enqueueMessages: EnqueueNamed; append: AppendEntry; isServed: ServedTeams },
) {
  const { announce, create, shared } = createSubscriptionStore(db, mutes, {
    family: muteFamily,
    enqueueMessages,
  });

  async function end(
    trx: Trx,
    ref: Ref,
    { by, at, isDue = false }: { by: string | undefined; at: Date; isDue?: boolean },
  ): Promise<Mute | undefined> {
    const mute = await mutes.find(trx, ref);
    if (!mute) return undefined;
    await alertWatches.lock(trx, { teamId: mute.teamId, channelId: mute.channelId });
    const where = isDue ? sql<SqlBool>`ends_at <= ${at}` : sql<SqlBool>`true`;
    const [ended] = await mutes.end(
      trx,
      { teamId: ref.teamId, id: mute.id, where },
      { by: by ?? '', at },
    );
    if (!ended) return undefined;
    const counts = await takeHeld(trx, { teamId: mute.teamId, muteId: mute.id }, at);
    const subject = `mute:${mute.id}:ended`;
    const message = muteEndedMessage(mute, counts, by);
    await enqueueMessages(trx, destinationOf(mute), [{ subject, message }], at);
    return mute;
  }

  async function endQuietHours(trx: Trx, { teamId, id }: DueHold, at: Date): Promise<void> {
    const where = sql<SqlBool>`quiet_until <= ${at}`;
    const watch = await alertWatches.findLocked(trx, { teamId, id, where, isPaused: false });
    if (!watch) return;
    const counts = await takeHeld(trx, { teamId, watchId: id }, at);
    const wasChanged = sql<SqlBool>`quiet_until = changed_at`;
    const isEdit = (await alertWatches.find(trx, { teamId, id, where: wasChanged })) !== undefined;
    await alertWatches.change(trx, { teamId, id }, { quiet_until: null });
    if (counts.bySeverity.length === 0) return;
    const subject = `watch:${id}:quiet:${at.getTime()}`;
    const message = quietEndedMessage(watch, counts, { isEdit, now: at });
    await enqueueMessages(trx, destinationOf(watch), [{ subject, message }], at);
  }

  return {
    ...shared,

    create: (mute: NewMute, entry: MuteEntry) =>
      db.transaction().execute(async (trx) => {
        const same = { on: mute, where: hasSearch(mute) };
        const created = await create(trx, mute, { same, max: maxMutesPerChannel }, () =>
          mutes.insert(trx, mute, columnsOf(mute)),
        );
        if (created.result === 'created') await append(trx, entry);
        return created;
      }),

    /**
     * Nothing is changed if it has ended, or another mute of the channel holds these alerts. What it holds
     * is posted if its filter changes, which may no longer match.
     */
    change: (
      ref: Ref & Channel,
      fields: MuteFields,
      entry: MuteEntry,
    ): Promise<'changed' | 'exists' | 'ended'> =>
      db.transaction().execute(async (trx) => {
        const { teamId, channelId } = ref;
        await lockChannel(trx, muteFamily, ref);
        const before = await mutes.find(trx, ref);
        if (!before) return 'ended';
        const filter = { teamId, channelId, on: before, where: hasSearch(fields) };
        const same = await mutes.list(trx, filter);
        if (same.length > 0 && same.every(({ id }) => id !== before.id)) return 'exists';
        await alertWatches.lock(trx, { teamId, channelId });
        const mute = await mutes.change(trx, ref, columnsOf(fields));
        if (!mute) return 'ended';
        const { actor: by, at } = entry;
        await announce(trx, mute, 'changed', { by, at });
        const isSame = same.length > 0;
        const counts = isSame ? undefined : await takeHeld(trx, { teamId, muteId: mute.id }, at);
        if (counts && counts.bySeverity.length > 0) {
          const subject = `mute:${mute.id}:held:${at.getTime()}`;
          const message = muteNarrowedMessage(mute, counts);
          await enqueueMessages(trx, destinationOf(mute), [{ subject, message }], at);
        }
        await append(trx, entry);
        return 'changed';
      }),

    /** By a person. Undefined if it has ended already. */
    end: (ref: Ref, entry: MuteEntry): Promise<Mute | undefined> =>
      db.transaction().execute(async (trx) => {
        const ended = await end(trx, ref, { by: entry.actor, at: entry.at });
        if (ended) await append(trx, entry);
        return ended;
      }),

    /** The longest due first. */
    async findDue(at: Date, limit: number): Promise<DueHold[]> {
      const { rows } = await sql<{ team_id: string; kind: DueHold['kind']; id: string }>`
        select team_id, kind, id from (
          select team_id, 'mute' as kind, id, ends_at as due_at from mute
            where ends_at <= ${at} and ${isServed('mute.team_id')}
          union all
          select team_id, 'watch', id, quiet_until from watch
            where quiet_until <= ${at} and ended_at is null and paused_at is null
              and ${isServed('watch.team_id')}
        ) as due order by due_at limit ${limit}`.execute(db);
      return rows.map(({ team_id: teamId, kind, id }) => ({ teamId, kind, id }));
    },

    /** Ends it, with one summary of what it held; nothing if another process has done so. */
    endDue: (due: DueHold, at: Date): Promise<void> =>
      db.transaction().execute(async (trx) => {
        if (due.kind === 'watch') await endQuietHours(trx, due, at);
        else await end(trx, due, { by: undefined, at, isDue: true });
      }),

    /** How many alerts each mute holds now. */
    async countHeld(muteIds: string[]): Promise<ReadonlyMap<string, number>> {
      if (muteIds.length === 0) return new Map();
      const { rows } = await sql<{ muted_by: string; count: number }>`
        select muted_by, count(distinct alert_key)::integer as count from watched_alert
        where muted_by = any(${muteIds}::uuid[]) and notified_as = 'held'
        group by muted_by`.execute(db);
      return new Map(rows.map((row) => [row.muted_by, row.count]));
    },

    /**
     * The keys of the alerts that it holds or has held, the latest first, how many there are, and their
     * connection, which the mute's row no longer says once it has ended.
     */
    async listHeld(
      holder: Holder,
      limit: number,
    ): Promise<{ keys: string[]; count: number; originId: string | undefined }> {
      const { rows } = await sql<{ alert_key: string; origin_id: string; count: number }>`
        select alert_key, min(connection_origin_id::text) as origin_id,
          count(*) over ()::integer as count
        from watched_alert join watch on watch.id = watch_id
        where team_id = ${holder.teamId} and ${isHeldBy(holder)} and held_at is not null
        group by alert_key order by max(held_at) desc, alert_key limit ${limit}`.execute(db);
      const [first] = rows;
      return {
        keys: rows.map((row) => row.alert_key),
        count: first?.count ?? 0,
        originId: first?.origin_id,
      };
    },
  };
}

function columnsOf({ search, reason, endsAt }: MuteFields) {
  return { search: JSON.stringify(search), reason, ends_at: endsAt ?? null };
}

function hasSearch({ search }: Pick<Mute, 'search'>): RawBuilder<SqlBool> {
  return sql`search = ${JSON.stringify(search)}::jsonb`;
}

/** The mutes of the channels of these watches, which can't end before the transaction does. */
export async function lockMutes(trx: Trx, watches: Watch[]): Promise<Mute[]> {
  const [watch] = watches;
  if (!watch) return [];
  const { rows } = await sql<Parameters<typeof mutes.read>[0]>`
    select * from mute
    where team_id = ${watch.teamId} and connection_origin_id = ${watch.originId}
      and channel_id = any(${watches.map(({ channelId }) => channelId)}::text[])
    order by channel_id, id for key share`.execute(trx);
  return parseEach(rows, mutes.read).parsed;
}

/** An alert held by the quiet hours of a watch names no mute. */
function isHeldBy(holder: Holder) {
  return 'muteId' in holder
    ? sql<SqlBool>`muted_by = ${holder.muteId}`
    : sql<SqlBool>`muted_by is null and watch_id = ${holder.watchId}
        and held_at >= ${new Date(holder.since ?? 0)}`;
}

/**
 * From now on, these alerts count as posted in a summary. Several watches may have held the same one. One
 * may have been cleared meanwhile if its watch is paused or in an outage, or was restarted since the alert
 * was last updated.
 */
async function takeHeld(trx: Trx, holder: Holder, at: Date): Promise<HeldCounts> {
  const { rows } = await sql<{
    watch_id: string;
    alert_key: string;
    severity: string | null;
    is_cleared: boolean;
    held_at: Date;
    is_outdated: boolean;
  }>`
    update watched_alert set notified_as = 'summary', notified_at = ${at},
      error_since = case when severity = 'error' and not is_cleared then ${at}::timestamptz end
    from watch left join alert_poll poll on poll.connection_id = watch.connection_id
    where watch.id = watch_id and watch.team_id = ${holder.teamId}
      and ${isHeldBy(holder)} and notified_as = 'held'
    returning watch_id, alert_key, severity, is_cleared, held_at,
      paused_at is not null or outage_since is not null or coalesce(updated_at < anchor, false)
        as is_outdated`.execute(trx);
  for (const [watchId, held] of Map.groupBy(rows, (row) => row.watch_id)) {
    await trx
      .updateTable('watch')
      .set((eb) => ({
        counted_count: eb('counted_count', '+', held.length),
        remind_at: remindAfter(at),
      }))
      .where('team_id', '=', holder.teamId)
      .where('id', '=', watchId)
      .execute();
  }
  const alerts = [...new Map(rows.map((row) => [row.alert_key, row])).values()];
  const bySeverity = Map.groupBy(alerts, ({ severity }) => severity ?? '');
  return {
    bySeverity: [...bySeverity].map(([severity, { length: count }]) => ({ severity, count })),
    activeCount: rows.some((row) => row.is_outdated)
      ? undefined
      : alerts.filter((row) => !row.is_cleared).length,
    since: rows.length > 0 ? min(rows.map((row) => row.held_at)) : undefined,
  };
}
