import type { Transaction } from 'kysely';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { pauseDigests, untellDropped } from '../../features/digests/store/digest-pausing.ts';
import { pauseWatches } from '../../features/watches/store/watch-pausing.ts';
import type { EnqueueMessages } from '../enqueue.ts';
import type { ClaimedChannel, DeliveryStore, Loss } from '../outbox-store.ts';
import { released, updateHeld } from './claims.ts';
import { totalOf } from './tally.ts';

/**
 * Pauses what posts to a channel, gives up what waits for it and tells those whose it is, all of it
 * or nothing.
 */
export function createAbandon(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
): DeliveryStore['abandon'] {
  return (channel, { at, why, notify }) =>
    db.transaction().execute(async (trx) => {
      // Before the channel's row, which whoever posts for them takes after them.
      const watches = await pauseWatches(trx, channel, { at, why });
      const digests = await pauseDigests(trx, channel, { at, why });
      const toldBefore = await holdChannel(trx, channel);
      const { subjects, dropped } = await dropAll(trx, channel, at);
      await untellDropped(trx, channel, subjects);
      const losses = lossesOf({ dropped, watches, digests });

      const told = new Set(toldBefore);
      // In one order, or two that are lost at once would wait crosswise for the same people.
      for (const [owner, loss] of losses.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        // What ran until now had been started again, so its end is news to whoever was told before.
        const isNews = loss.watches + loss.digests > 0 || !told.has(owner);
        const notice = isNews ? notify(owner, loss) : undefined;
        told.add(owner);
        if (notice) await enqueueMessages(trx, notice.to, [notice.outgoing], at);
      }
      await updateHeld(trx, channel)
        .set({
          ...released,
          attempts: 0,
          unanswered: 0,
          failed_edits: 0,
          due_at: null,
          notified_owners: JSON.stringify([...told]),
        })
        .execute();
      return losses.map(([, loss]) => loss);
    });
}

/** Takes the channel's row until the transaction ends. Returns who was told that it is lost. */
async function holdChannel(
  trx: Transaction<Tables>,
  { teamId, channelId }: ClaimedChannel,
): Promise<string[]> {
  const { notified_owners } = await trx
    .selectFrom('delivery_channel')
    .select('notified_owners')
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return notified_owners;
}

type Dropped = { owner: string; count: number };

/** What was never shown, and whose it was: an edit is no message, and a summary shows what it said last. */
async function dropAll(
  trx: Transaction<Tables>,
  { teamId, channelId }: ClaimedChannel,
  at: Date,
): Promise<{ subjects: string[]; dropped: Dropped[] }> {
  const messages = await trx
    .updateTable('delivery_message')
    .set({ state: 'dropped', message: null, settled_at: at, attempts: 0, retry_at: null })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
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

/** By owner; `watches` and `digests` have the owner of each. */
function lossesOf({
  dropped,
  watches,
  digests,
}: {
  dropped: Dropped[];
  watches: string[];
  digests: string[];
}): [owner: string, loss: Loss][] {
  const owners = new Set([...dropped.map(({ owner }) => owner), ...watches, ...digests]);
  return [...owners].map((owner) => {
    const theirs = (one: string) => one === owner;
    return [
      owner,
      {
        dropped: dropped
          .filter((one) => theirs(one.owner))
          .reduce((sum, { count }) => sum + count, 0),
        watches: watches.filter(theirs).length,
        digests: digests.filter(theirs).length,
      },
    ];
  });
}
