import type { Transaction } from 'kysely';
import { z } from 'zod';
import { released } from '../../../database/leases.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { isUserId } from '../../../slack/api/channel.ts';
import { enqueueMessages } from '../enqueue.ts';
import type { ChannelRef, OutboxHandlers, Paused } from '../handlers.ts';
import {
  type Loss,
  type LossReason,
  noAccessMessage,
  pausedReasons,
  unreachableMessage,
} from '../loss-messages.ts';
import { totalOf } from '../summarize.ts';
import { type LeasedChannel, updateLeased } from './channels.ts';

/**
 * Pauses what posts in a channel, drops what waits for it and queues a notice for each owner who has
 * not been notified yet, all in one transaction. Returns what each owner lost.
 */
export function abandon(
  db: Database,
  handlers: OutboxHandlers[],
  channel: LeasedChannel,
  { why, at }: { why: LossReason; at: Date },
): Promise<Loss[]> {
  const reason = pausedReasons[why];
  return db.transaction().execute(async (trx) => {
    const ref = { teamId: channel.teamId, channelId: channel.channelId };
    // Before the channel's row is locked, in the same order as when the features enqueue.
    const paused: Paused[] = [];
    for (const { onChannelUnreachable } of handlers) {
      if (onChannelUnreachable) paused.push(await onChannelUnreachable(trx, ref, { at, reason }));
    }
    const notifiedBefore = await lockNotifiedOwners(trx, channel);
    const { subjects, dropped } = await dropAll(trx, channel, at);
    await reportDropped(trx, handlers, ref, subjects);
    const losses = lossesByOwner(dropped, paused);

    const notified = new Set(notifiedBefore);
    // Ordered, so that two channels lost at once cannot deadlock over the owners' channels.
    for (const [owner, loss] of losses.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      // Something that was running had been resumed, so even an owner notified before needs to know.
      const isNews = loss.paused.length > 0 || !notified.has(owner);
      notified.add(owner);
      // A direct message to a deactivated person needs no notice about a lost channel. If that person is
      // the owner, there is nobody to notify.
      if (!isNews || isUserId(ref.channelId)) continue;
      // Slack accepts a user id as the channel of a direct message.
      const to = { teamId: ref.teamId, channelId: owner, ownerSlackUserId: owner };
      // With the lease's holder, so that the next loss of the same channel is a separate message.
      const subject = `unreachable:${ref.channelId}:${channel.holder}`;
      const message =
        why === 'no-access' ? noAccessMessage(loss) : unreachableMessage(ref.channelId, loss);
      await enqueueMessages(trx, to, [{ subject, message }], at);
    }
    await updateLeased(trx, channel)
      .set({
        ...released,
        attempts: 0,
        unanswered: 0,
        failed_edits: 0,
        due_at: null,
        notified_owners: JSON.stringify([...notified]),
      })
      .execute();
    return losses.map(([, loss]) => loss);
  });
}

/** Calls the handlers for messages that were given up before anybody saw them. */
export async function reportDropped(
  trx: Transaction<Tables>,
  handlers: OutboxHandlers[],
  channel: ChannelRef,
  subjects: string[],
): Promise<void> {
  if (subjects.length === 0) return;
  for (const { onMessagesDropped } of handlers) await onMessagesDropped?.(trx, channel, subjects);
}

/** Locks the channel's row. Returns the owners who know already that it is unreachable. */
async function lockNotifiedOwners(
  trx: Transaction<Tables>,
  { teamId, channelId }: ChannelRef,
): Promise<string[]> {
  const { notified_owners } = await trx
    .selectFrom('delivery_channel')
    .select('notified_owners')
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return z.array(z.string()).parse(notified_owners);
}

type Dropped = { owner: string; count: number };

/**
 * Drops everything that waits. Only what nobody has seen counts as lost: no edits, and of a
 * posted summary only what its message does not show.
 */
async function dropAll(
  trx: Transaction<Tables>,
  { teamId, channelId }: ChannelRef,
  at: Date,
): Promise<{ subjects: string[]; dropped: Dropped[] }> {
  const messages = await trx
    .updateTable('delivery_message')
    .set({ state: 'dropped', message: null, settled_at: at, attempts: 0, retry_at: null })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'queued')
    .returning(['owner_slack_user_id', 'subject', 'message_ts'])
    .execute();
  const summaries = await trx
    .updateTable('delivery_summary')
    .set({ state: 'dropped' })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'open')
    .returning(['owner_slack_user_id', 'counts', 'shown_count'])
    .execute();
  return {
    subjects: messages.flatMap(({ subject, message_ts }) =>
      subject && !message_ts ? [subject] : [],
    ),
    dropped: [
      ...messages.map(({ owner_slack_user_id: owner, message_ts }) => ({
        owner,
        count: message_ts ? 0 : 1,
      })),
      ...summaries.map(({ owner_slack_user_id: owner, counts, shown_count }) => ({
        owner,
        count: Math.max(0, totalOf(counts) - shown_count),
      })),
    ],
  };
}

function lossesByOwner(dropped: Dropped[], paused: Paused[]): [owner: string, loss: Loss][] {
  const owners = new Set([
    ...dropped.map(({ owner }) => owner),
    ...paused.flatMap((kind) => kind.owners),
  ]);
  return [...owners].map((owner) => {
    const ownDropped = dropped.filter((message) => message.owner === owner);
    const ownPaused = paused.map(({ owners: all, ...kind }) => ({
      ...kind,
      count: all.filter((id) => id === owner).length,
    }));
    return [
      owner,
      {
        dropped: ownDropped.reduce((sum, { count }) => sum + count, 0),
        paused: ownPaused.filter(({ count }) => count > 0),
      },
    ];
  });
}
