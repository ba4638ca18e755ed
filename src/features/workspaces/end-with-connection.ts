import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { type Destination, enqueueMessages } from '../../outbox/index.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { connectionRemovedMessage } from './views/connection-removed-message.ts';
import type { RemovedConnection } from './workspace.ts';

/** A watch or digest that ended, or a channel's use of the connection, and where to say so. */
type EndedItem = Destination & { kind: 'watch' | 'digest' | 'pin' };

type EndItems = (trx: Transaction<Tables>, connection: RemovedConnection) => Promise<Destination[]>;

/**
 * Ends what is on a removed connection, in the transaction that removes it. Posts one message in each
 * channel that had watches or digests on the connection, or used it for commands. Each of `endings` ends
 * the items of one kind and resolves to where those post whose channels can be reached.
 */
export function createEndWithConnection(endings: { watch: EndItems; digest: EndItems }) {
  return async (trx: Transaction<Tables>, connection: RemovedConnection): Promise<void> => {
    const { teamId, originId, name, unpinned, by, at } = connection;
    const ended = unpinned
      // Of direct messages, Belay can post in its own only.
      .filter(({ channelId }) => !isDirectChannel(channelId))
      .map(({ channelId, pinnedBy }): EndedItem => {
        return { teamId, channelId, ownerSlackUserId: pinnedBy, kind: 'pin' };
      });
    for (const kind of ['watch', 'digest'] as const) {
      const items = await endings[kind](trx, connection);
      ended.push(...items.map((to) => ({ ...to, kind })));
    }
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
