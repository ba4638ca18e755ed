import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { type Destination, enqueueMessages } from '../../outbox/index.ts';
import { isDirectChannel, thisPlace } from '../../slack/api/channel.ts';
import { context, type Message, message } from '../../slack/ui/blocks.ts';
import { bold, mention } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { RemovedConnection } from './workspace.ts';

/** A watch or digest that ended, or a channel's use of the connection, and where to say so. */
export type EndedItem = Destination & { kind: 'watch' | 'digest' | 'pin' };

type EndItems = (trx: Transaction<Tables>, connection: RemovedConnection) => Promise<EndedItem[]>;

/**
 * Ends what is on a removed connection, in the transaction that removes it. Posts one message in each
 * channel that had watches or digests on the connection, or used it for commands. Each of `endings` ends
 * the items of one feature and resolves to those whose channels can be reached.
 */
export function createEndWithConnection(endings: EndItems[]) {
  return async (trx: Transaction<Tables>, connection: RemovedConnection): Promise<void> => {
    const { teamId, originId, name, unpinned, by, at } = connection;
    const ended = unpinned
      // Of direct messages, Belay can post in its own only.
      .filter(({ channelId }) => !isDirectChannel(channelId))
      .map(({ channelId, pinnedBy }): EndedItem => {
        return { teamId, channelId, ownerSlackUserId: pinnedBy, kind: 'pin' };
      });
    for (const end of endings) ended.push(...(await end(trx, connection)));
    const byChannel = Map.groupBy(ended, ({ channelId }) => channelId);
    // Every transaction locks channels in this order. Otherwise two could deadlock.
    for (const [channelId, items] of [...byChannel].sort(([one], [other]) =>
      one < other ? -1 : 1,
    )) {
      const [first] = items;
      if (!first) continue;
      const { kind: _, ...to } = first;
      const count = (kind: EndedItem['kind']) => items.filter((item) => item.kind === kind).length;
      const counts = { watches: count('watch'), digests: count('digest') };
      const removed = { name, by, channelId, isUnpinned: count('pin') > 0, ...counts };
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
