import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { enqueueMessages } from '../postings/outbox/enqueue.ts';
import type { Destination } from '../postings/outbox/message.ts';
import { isDirectChannel, thisPlace } from '../slack/api/channel.ts';
import { context, type Message, message } from '../slack/ui/blocks.ts';
import { bold, mention } from '../slack/ui/mrkdwn.ts';
import { plural } from '../slack/ui/words.ts';
import type { RemovedConnection } from '../workspace/workspace.ts';
import { endOnConnection, type Family } from './channels.ts';

/**
 * Ends what is on a removed connection, in the transaction that removes it. Posts one message in each
 * channel that had watches or digests on the connection, or used it for commands, and can be reached.
 */
export function createEndWithConnection(families: { watches: Family; digests: Family }) {
  return async (trx: Transaction<Tables>, connection: RemovedConnection): Promise<void> => {
    const { teamId, originId, name, unpinned, by, at } = connection;
    const pins = unpinned
      // Of direct messages, Belay can post in its own only.
      .filter(({ channelId }) => !isDirectChannel(channelId))
      .map(({ channelId, pinnedBy: ownerSlackUserId }) => ({
        teamId,
        channelId,
        ownerSlackUserId,
      }));
    const watches = await endOnConnection(trx, families.watches, connection);
    const digests = await endOnConnection(trx, families.digests, connection);
    const channels = Map.groupBy([...pins, ...watches, ...digests], ({ channelId }) => channelId);
    // Every transaction locks channels in this order. Otherwise two could deadlock.
    for (const channelId of [...channels.keys()].sort()) {
      const [to] = channels.get(channelId) ?? [];
      if (!to) continue;
      const count = (ended: Destination[]) =>
        ended.filter((one) => one.channelId === channelId).length;
      const counts = { watches: count(watches), digests: count(digests) };
      const removed = { name, by, channelId, isUnpinned: count(pins) > 0, ...counts };
      const outgoing = {
        subject: `connection:${originId}:removed:${at.getTime()}`,
        message: connectionRemovedMessage(removed),
      };
      await enqueueMessages(trx, to, [outgoing], at);
    }
  };
}

/** For a channel that used a connection, or had watches or digests on it, which was removed. */
export function connectionRemovedMessage({
  name,
  by,
  channelId,
  isUnpinned,
  watches,
  digests,
}: {
  name: string;
  /** Slack user id. */
  by: string;
  channelId: string;
  /** Commands in the channel used the connection, and use the default one from now on. */
  isUnpinned: boolean;
  watches: number;
  digests: number;
}): Message {
  const what = [
    ...(watches > 0 ? [plural(watches, 'watch', 'watches')] : []),
    ...(digests > 0 ? [plural(digests, 'digest')] : []),
  ].join(' and ');
  const place = thisPlace(channelId);
  const sentences = [
    `${mention(by)} removed the connection ${bold(name)}.`,
    ...(what ? [`${what} in ${place} ended.`] : []),
    ...(isUnpinned ? [`Commands in ${place} now use the default connection.`] : []),
  ];
  return message([context(sentences.join(' '))]);
}
