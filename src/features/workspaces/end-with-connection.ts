import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { type Destination, enqueueMessages } from '../../outbox/index.ts';
import { connectionRemovedMessage } from './views/connection-removed-message.ts';

/** `by` is a Slack user id; undefined for the operator. */
export type RemovedConnection = {
  teamId: string;
  originId: string;
  by: string | undefined;
  at: Date;
};

/** A watch or digest that ended, and where it posted. */
export type EndedItem = Destination & { kind: 'watch' | 'digest' };

type EndItems = (trx: Transaction<Tables>, connection: RemovedConnection) => Promise<EndedItem[]>;

/**
 * Ends what is on a removed connection, in the transaction that removes it, with one message for each
 * channel. Each of `endings` ends the items of one feature and resolves to those whose channels can be
 * reached.
 */
export function createEndWithConnection(endings: EndItems[]) {
  return async (trx: Transaction<Tables>, connection: RemovedConnection): Promise<void> => {
    const ended: EndedItem[] = [];
    for (const end of endings) ended.push(...(await end(trx, connection)));
    if (ended.length === 0) return;
    const { teamId, originId, by, at } = connection;
    const { name } = await trx
      .selectFrom('connection')
      .select('name')
      .where('team_id', '=', teamId)
      .where('origin_id', '=', originId)
      .orderBy('saved_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const byChannel = Map.groupBy(ended, ({ channelId }) => channelId);
    // The order in which every transaction locks several channels, or two could deadlock.
    for (const [channelId, items] of [...byChannel].sort(([one], [other]) =>
      one < other ? -1 : 1,
    )) {
      const [first] = items;
      if (!first) continue;
      const { kind: _, ...to } = first;
      const count = (kind: EndedItem['kind']) => items.filter((item) => item.kind === kind).length;
      const removed = { name, by, channelId, watches: count('watch'), digests: count('digest') };
      const outgoing = {
        subject: `connection:${originId}:removed:${at.getTime()}`,
        message: connectionRemovedMessage(removed),
      };
      await enqueueMessages(trx, to, [outgoing], at);
    }
  };
}
