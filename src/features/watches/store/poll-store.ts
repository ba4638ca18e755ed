import type { Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { Outgoing } from '../../../outbox/message.ts';
import type { Watch } from '../watch.ts';
import type { Poll, PollStore, Reading, Strays } from '../watch-store.ts';
import {
  changeLease,
  given,
  preparePolls,
  takeLease,
  toReading,
  untroubled,
} from './alert-poll-lease.ts';
import { endTrouble, moveWatch } from './migrate-watches.ts';
import { createRecordNotified } from './record-notified.ts';
import { recordForWatch, seenOf } from './record-watched.ts';
import { destinationOf, markColumns, toWatch } from './watch-row.ts';

/** The part of the watches that the poller works on; `PollStore` has the rules. */
export function createPollStore(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
): PollStore {
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
      const byConnection = Map.groupBy(rows.map(toWatch), ({ connectionId }) => connectionId);
      const watches = byConnection.get(poll.connectionId) ?? [];
      byConnection.delete(poll.connectionId);
      return { ...poll, watches, strays: await readStrays(db, byConnection) };
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
          spells.filter(({ notifiedAt }) => there.some(({ createdAt }) => createdAt < notifiedAt));
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
          await recordForWatch(trx, { watch, alerts, at, seen, judge, enqueueMessages });
        }
        return true;
      }),

    recordNotified: createRecordNotified(db, { enqueueMessages }),

    finish: (poll, { watches, highWater, at, nextPollAt, tellOver }) =>
      db.transaction().execute(async (trx) => {
        if (!(await changeLease(trx, poll, { ...untroubled, ...given(nextPollAt) }))) return;
        const held = await holdWatches(trx, watches);
        if (highWater && held.length > 0) {
          await trx
            .updateTable('watch')
            .set(markColumns(highWater))
            .where('id', 'in', idsOf(held))
            // One that was resumed meanwhile is further on.
            .where((eb) =>
              eb.or([eb('high_water', 'is', null), eb('high_water', '<=', highWater.at)]),
            )
            .execute();
        }
        const warned = await warnedOf(trx, poll);
        await tellChannels(trx, warned, (there) => [tellOver(there)], at);
      }),

    fail: (poll, { reading, words, at, isFailedLookup, tell }) =>
      db.transaction().execute(async (trx) => {
        if (!(await changeLease(trx, poll, {}))) return;
        const { connectionId, watches, trouble } = reading;
        const state = {
          failures: reading.failures + 1,
          failed_lookups: isFailedLookup ? reading.failedLookups + 1 : 0,
          // It may quote the service.
          outage_reason: storable(words),
          outage_since: trouble?.since ?? at,
          ...(tell && { outage_notified_at: at }),
        };
        await trx
          .insertInto('alert_poll')
          .values({ connection_id: connectionId, team_id: poll.teamId, next_poll_at: at, ...state })
          .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(state))
          .execute();
        if (!tell) return;
        await tellChannels(trx, await holdWatches(trx, watches), () => [tell()], at);
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
      if (first) await enqueueMessages(trx, destinationOf(first), tell(there), at);
    }
  }
}

/** One that was replaced before it was ever polled has no row. */
async function readStrays(db: Database, byConnection: Map<string, Watch[]>): Promise<Strays[]> {
  if (byConnection.size === 0) return [];
  const rows = await db
    .selectFrom('alert_poll')
    .selectAll()
    .where('connection_id', 'in', [...byConnection.keys()])
    .execute();
  const known = new Map(rows.map((row) => [row.connection_id, toReading(row)]));
  return [...byConnection].map(([connectionId, watches]) => ({
    ...(known.get(connectionId) ?? unread(connectionId)),
    watches,
  }));
}

function unread(connectionId: string): Reading {
  return { connectionId, failures: 0, failedLookups: 0, trouble: undefined };
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

/** The watches in whose channels trouble of this poll was told; those too that have ended since. */
async function warnedOf(
  trx: Transaction<Tables>,
  { connectionId, trouble }: Poll,
): Promise<Watch[]> {
  const notifiedAt = trouble?.notifiedAt;
  if (!notifiedAt) return [];
  const rows = await trx
    .selectFrom('watch')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('created_at', '<', notifiedAt)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', notifiedAt)]))
    .where('paused_at', 'is', null)
    .orderBy('channel_id')
    .orderBy('id')
    .execute();
  return rows.map(toWatch);
}

function idsOf(watches: Watch[]): string[] {
  return watches.map(({ id }) => id);
}
