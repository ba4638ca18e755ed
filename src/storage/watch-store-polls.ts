import { type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { Outgoing } from '../features/delivery/delivery.ts';
import type { Spell } from '../features/watches/trouble-notice.ts';
import type { Watch } from '../features/watches/watch.ts';
import type { Anchor, Poll, PollStore, Tell } from '../features/watches/watch-store.ts';
import type { Database } from './open-database.ts';
import type { QueueOutgoing } from './outbox.ts';
import { createRecordTold } from './record-told.ts';
import { recordForWatch, seenOf } from './record-watched.ts';
import type { Tables } from './tables.ts';
import { anchorColumns, destinationOf, rememberKnown, toWatch } from './watch-row.ts';
import type { AlertPollTable } from './watch-tables.ts';

/** The part of the watches that the poller works on; `PollStore` has the rules. */
export function createPollStore(db: Database, { queue }: { queue: QueueOutgoing }): PollStore {
  return {
    async claim({ holder, at, until }) {
      await preparePolls(db, at);
      const poll = await takeLease(db, { holder, at, until });
      if (!poll) return undefined;
      const rows = await db
        .selectFrom('watch')
        .selectAll()
        .where('team_id', '=', poll.teamId)
        .where('ended_at', 'is', null)
        .where('paused_at', 'is', null)
        .orderBy('created_at')
        .execute();
      const isHere = (watch: Watch) => watch.connectionId === poll.connectionId;
      const all = rows.map(toWatch);
      return {
        ...poll,
        watches: all.filter(isHere),
        strays: all.filter((watch) => !isHere(watch)),
      };
    },

    follow: (poll, { goOn, beginAnew, at, tell }) =>
      db.transaction().execute(async (trx) => {
        if (!(await changeLease(trx, poll, {}))) return false;
        const spells = await endTrouble(trx, poll);
        const held = await holdWatches(trx, [...goOn, ...(beginAnew?.watches ?? [])]);
        const isAnew = ({ id }: Watch) => beginAnew?.watches.some((one) => one.id === id) ?? false;
        for (const watch of held) {
          await moveWatch(trx, watch, {
            connectionId: poll.connectionId,
            anchor: isAnew(watch) ? beginAnew?.anchor : undefined,
            at,
          });
        }
        const toldOf = (there: Watch[]) =>
          spells.filter(({ toldAt }) => there.some(({ createdAt }) => createdAt < toldAt));
        const tellAll = (there: Watch[]) =>
          tell({ goesOn: !there.some(isAnew), told: toldOf(there) });
        await tellChannels(trx, held, tellAll, at);
        return true;
      }),

    recordPage: (poll, { watches, alerts, at, leaseUntil, judge }) =>
      db.transaction().execute(async (trx) => {
        if (!(await changeLease(trx, poll, { lease_until: leaseUntil }))) return false;
        const held = await holdWatches(trx, watches);
        const seen = await seenOf(trx, held, alerts);
        for (const watch of held) {
          await recordForWatch(trx, { watch, alerts, at, seen, judge, queue });
        }
        return true;
      }),

    recordTold: createRecordTold(db, { queue }),

    finish: (poll, { watches, highWater, at, nextPollAt, tellOver }) =>
      db.transaction().execute(async (trx) => {
        const over = { failures: 0, trouble: null, trouble_since: null, trouble_told_at: null };
        if (!(await changeLease(trx, poll, { ...over, ...given(nextPollAt) }))) return;
        const held = await holdWatches(trx, watches);
        if (highWater && held.length > 0) {
          await trx
            .updateTable('watch')
            .set({ high_water: highWater.at, high_water_alert_id: highWater.alertId })
            .where('id', 'in', idsOf(held))
            // One that was resumed meanwhile is further on.
            .where((eb) =>
              eb.or([eb('high_water', 'is', null), eb('high_water', '<=', highWater.at)]),
            )
            .execute();
        }
        if (poll.trouble?.isTold) await tellChannels(trx, held, firstOf(tellOver), at);
      }),

    fail: (poll, { watches, words, at, nextPollAt, tell }) =>
      db.transaction().execute(async (trx) => {
        const isHeld = await changeLease(trx, poll, {
          failures: poll.failures + 1,
          trouble: words,
          trouble_since: poll.trouble?.since ?? at,
          ...(tell && { trouble_told_at: at }),
          ...given(nextPollAt),
        });
        if (!isHeld || !tell) return;
        await tellChannels(trx, await holdWatches(trx, watches), firstOf(tell), at);
      }),

    async release(poll, nextPollAt) {
      await changeLease(db, poll, given(nextPollAt));
    },
  };

  /** Each channel once, however many watches it has. */
  async function tellChannels(
    trx: Transaction<Tables>,
    watches: Watch[],
    tell: (there: Watch[]) => Outgoing[],
    at: Date,
  ) {
    const channels = Map.groupBy(watches, ({ channelId }) => channelId);
    for (const there of channels.values()) {
      const [first] = there;
      if (first) await queue(trx, destinationOf(first), tell(there), at);
    }
  }
}

function firstOf(tell: Tell): (there: Watch[]) => Outgoing[] {
  return ([first]) => (first ? [tell(first)] : []);
}

/** Trouble of which channels were told, on connections that are replaced by now. */
async function endTrouble(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Poll,
): Promise<(Spell & { toldAt: Date })[]> {
  const troubled = await trx
    .selectFrom('alert_poll')
    .select(['connection_id', 'trouble_since', 'trouble_told_at'])
    .where('team_id', '=', teamId)
    .where('connection_id', '<>', connectionId)
    .where('trouble_told_at', 'is not', null)
    .orderBy('connection_id')
    .forUpdate()
    .execute();
  if (troubled.length === 0) return [];
  const ids = troubled.map((row) => row.connection_id);
  await trx
    .updateTable('alert_poll')
    .set({ trouble: null, trouble_since: null, trouble_told_at: null })
    .where('connection_id', 'in', ids)
    .execute();
  return troubled.flatMap(({ connection_id, trouble_since: since, trouble_told_at: toldAt }) =>
    since && toldAt ? [{ connectionId: connection_id, since, toldAt }] : [],
  );
}

/** With an anchor it begins anew there, and what it knew is forgotten. */
async function moveWatch(
  trx: Transaction<Tables>,
  { id }: Watch,
  { connectionId, anchor, at }: { connectionId: string; anchor: Anchor | undefined; at: Date },
): Promise<void> {
  await trx
    .updateTable('watch')
    .set({ connection_id: connectionId, ...(anchor && anchorColumns(anchor)) })
    .where('id', '=', id)
    .execute();
  if (!anchor) return;
  await trx.deleteFrom('watched_alert').where('watch_id', '=', id).execute();
  await rememberKnown(trx, id, anchor, at);
}

/** A connection that has taken the place of another is polled for the watches of that one. */
async function preparePolls(db: Database, at: Date): Promise<void> {
  await sql`
    insert into alert_poll (connection_id, team_id, next_poll_at)
    select distinct c.id, c.team_id, ${at}::timestamptz
      from watch w join connection c on c.team_id = w.team_id and c.replaced_at is null
      where w.ended_at is null and w.paused_at is null
        and not exists (select 1 from alert_poll p where p.connection_id = c.id)
    on conflict do nothing`.execute(db);
}

type Lease = { holder: string; at: Date; until: Date };

async function takeLease(db: Database, { holder, at, until }: Lease): Promise<Poll | undefined> {
  const { rows } = await sql<Selectable<AlertPollTable>>`
    update alert_poll set lease_holder = ${holder}, lease_until = ${until}
    where connection_id = (
      select p.connection_id
        from alert_poll p join connection c on c.id = p.connection_id and c.replaced_at is null
        where p.next_poll_at <= ${at} and (p.lease_until is null or p.lease_until <= ${at})
          and exists (select 1 from watch w where w.team_id = p.team_id
            and w.ended_at is null and w.paused_at is null)
        order by p.next_poll_at limit 1 for update of p skip locked)
    returning *`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { trouble: words, trouble_since: since, trouble_told_at: toldAt } = row;
  return {
    connectionId: row.connection_id,
    teamId: row.team_id,
    holder,
    failures: row.failures,
    trouble: words && since ? { words, since, isTold: toldAt !== null } : undefined,
  };
}

/** Changes the poll of whoever still holds it; false when someone else has taken it over. */
async function changeLease(
  db: Database | Transaction<Tables>,
  { connectionId, holder }: Poll,
  change: Updateable<AlertPollTable>,
): Promise<boolean> {
  const row = await db
    .updateTable('alert_poll')
    .set({ lease_holder: holder, ...change })
    .where('connection_id', '=', connectionId)
    .where('lease_holder', '=', holder)
    .returning('connection_id')
    .executeTakeFirst();
  return row !== undefined;
}

function given(nextPollAt: Date) {
  return { lease_holder: null, lease_until: null, next_poll_at: nextPollAt };
}

/**
 * As they are now, held until the transaction ends; those that ended, were paused or went over to
 * another connection are left out.
 */
async function holdWatches(trx: Transaction<Tables>, watches: Watch[]): Promise<Watch[]> {
  if (watches.length === 0) return [];
  const rows = await trx
    .selectFrom('watch')
    .selectAll()
    .where('id', 'in', idsOf(watches))
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    // Whoever queues for several channels takes them in one order.
    .orderBy('channel_id')
    .orderBy('id')
    .forUpdate()
    .execute();
  const connections = new Map(watches.map(({ id, connectionId }) => [id, connectionId]));
  return rows.map(toWatch).filter((watch) => watch.connectionId === connections.get(watch.id));
}

function idsOf(watches: Watch[]): string[] {
  return watches.map(({ id }) => id);
}
