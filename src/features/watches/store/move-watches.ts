import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { Outgoing } from '../../../postings/outbox/message.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { forgetAlerts } from '../../alerts/index.ts';
import {
  connectionReplacedNotice,
  type OutageRef,
  outageReplacedNotice,
} from '../views/outage-notices.ts';
import type { Anchor, Poll, Watch } from '../watch.ts';
import { withoutOutage } from './alert-poll-lease.ts';
import { lockWatches } from './read-watches.ts';
import { alertWatches } from './watch-kinds.ts';
import { anchorColumns, storeKnown } from './watch-row.ts';

export type MovePlan = {
  /** Watches on the same tenant, which keep their marks. */
  resuming: Watch[];
  /** Watches of another tenant; undefined if there are none. */
  restarting: { watches: Watch[]; anchor: Anchor } | undefined;
};

/**
 * Moves watches to the connection of the poll, whose lease the transaction holds, and tells their
 * channels. Notices about outages of the old connections are edited to say that they are over.
 */
export async function moveWatches(
  trx: Transaction<Tables>,
  poll: Poll,
  { resuming, restarting, at }: MovePlan & { at: Date },
  enqueueMessages: EnqueueNamed,
): Promise<void> {
  const { connectionId } = poll;
  const outages = await endOutages(trx, poll);
  const watches = await lockWatches(trx, [...resuming, ...(restarting?.watches ?? [])]);
  const isRestarting = ({ id }: Watch) =>
    restarting?.watches.some((watch) => watch.id === id) ?? false;
  const [restarted] = watches.filter(isRestarting);
  if (restarted) await forgetAlerts(trx, restarted);
  for (const watch of watches) {
    const anchor = isRestarting(watch) ? restarting?.anchor : undefined;
    await moveWatch(trx, watch, { connectionId, anchor, at });
  }
  await enqueuePerChannel(trx, { watches, at, enqueueMessages }, (channel, channelId) => {
    const notified = outages.filter(({ notifiedAt }) =>
      channel.some(({ createdAt }) => createdAt < notifiedAt),
    );
    const isResumed = !channel.some(isRestarting);
    return [
      ...notified.map((outage) => outageReplacedNotice(outage, channelId)),
      connectionReplacedNotice(connectionId, { isResumed, channelId }),
    ];
  });
}

/** Enqueues messages for each channel that has some of the watches, which are passed to `outgoingFor`. */
export async function enqueuePerChannel<W extends Watch>(
  trx: Transaction<Tables>,
  { watches, at, enqueueMessages }: { watches: W[]; at: Date; enqueueMessages: EnqueueNamed },
  outgoingFor: (channel: W[], channelId: string) => Outgoing[],
): Promise<void> {
  for (const [channelId, channel] of Map.groupBy(watches, (watch) => watch.channelId)) {
    const [first] = channel;
    if (first)
      await enqueueMessages(trx, destinationOf(first), outgoingFor(channel, channelId), at);
  }
}

/** Ends the outages of the connections that it replaced. Returns those that channels were warned of. */
async function endOutages(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Poll,
): Promise<(OutageRef & { notifiedAt: Date })[]> {
  const rows = await trx
    .selectFrom('alert_poll')
    .select(['connection_id', 'outage_since', 'outage_notified_at'])
    .where('team_id', '=', teamId)
    .where('connection_id', '<>', connectionId)
    .where('connection_id', 'in', (eb) =>
      eb
        .selectFrom('connection as replaced')
        .innerJoin('connection as own', 'own.origin_id', 'replaced.origin_id')
        .select('replaced.id')
        .where('own.id', '=', connectionId)
        .where('replaced.team_id', '=', teamId),
    )
    .where('outage_since', 'is not', null)
    .orderBy('connection_id')
    .forUpdate()
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.connection_id);
  await trx
    .updateTable('alert_poll')
    .set(withoutOutage)
    .where('team_id', '=', teamId)
    .where('connection_id', 'in', ids)
    .execute();
  return rows.flatMap(({ connection_id, outage_since: since, outage_notified_at: notifiedAt }) =>
    since && notifiedAt ? [{ connectionId: connection_id, since, notifiedAt }] : [],
  );
}

/** With an anchor the watch restarts there, and what it has seen is deleted. */
async function moveWatch(
  trx: Transaction<Tables>,
  { id, teamId }: Watch,
  { connectionId, anchor, at }: { connectionId: string; anchor: Anchor | undefined; at: Date },
): Promise<void> {
  const moved = { connection_id: connectionId, ...(anchor && anchorColumns(anchor)) };
  await alertWatches.change(trx, { teamId, id }, moved);
  if (!anchor) return;
  await trx.deleteFrom('watched_alert').where('watch_id', '=', id).execute();
  await storeKnown(trx, id, anchor, at);
}
