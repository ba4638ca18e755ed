import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { enqueueMessages } from '../postings/outbox/enqueue.ts';
import type { Destination } from '../postings/outbox/message.ts';
import { isDirectChannel, thisPlace } from '../slack/api/channel.ts';
import { context, type Message, message } from '../slack/ui/blocks.ts';
import { bold, mention } from '../slack/ui/mrkdwn.ts';
import { plural } from '../slack/ui/words.ts';
import type { RemovedConnection } from '../workspace/workspace.ts';
import type { Family } from './channels.ts';

/**
 * Ends what is on a removed connection, in the transaction that removes it. Posts one message in each
 * channel that had some of it, or used the connection for commands, and can be reached.
 */
export function createEndWithConnection(families: Family[]) {
  return async (trx: Transaction<Tables>, connection: RemovedConnection): Promise<void> => {
    const { teamId, originId, name, unpinned, by, at } = connection;
    /** Channels with something that wasn't paused; without `family`, channels that were pinned to the connection. */
    const places: (Destination & { family?: Family })[] = unpinned
      // Of direct messages, Belay can post in its own only.
      .filter(({ channelId }) => !isDirectChannel(channelId))
      .map(({ channelId, pinnedBy }) => ({ teamId, channelId, ownerSlackUserId: pinnedBy }));
    for (const family of families) {
      for (const kind of family.kinds) {
        const rows = await kind.end(trx, { teamId, on: { teamId, originId } }, { by, at });
        for (const { channel_id: channelId, created_by: ownerSlackUserId, paused_at } of rows)
          if (paused_at === null) places.push({ teamId, channelId, ownerSlackUserId, family });
      }
    }
    const channels = Map.groupBy(places, ({ channelId }) => channelId);
    // Every transaction locks channels in this order. Otherwise two could deadlock.
    for (const channelId of [...channels.keys()].sort()) {
      const here = channels.get(channelId) ?? [];
      const [to] = here;
      if (!to) continue;
      const ended = families.map((family) => ({
        noun: family.noun,
        plural: family.plural,
        count: here.filter((one) => one.family === family).length,
      }));
      const isUnpinned = here.some((one) => !one.family);
      const removed = { name, by, channelId, isUnpinned, ended };
      const outgoing = {
        subject: `connection:${originId}:removed:${at.getTime()}`,
        message: connectionRemovedMessage(removed),
      };
      await enqueueMessages(trx, to, [outgoing], at);
    }
  };
}

/** For a channel that used a connection, or had something on it, which was removed. */
export function connectionRemovedMessage({
  name,
  by,
  channelId,
  isUnpinned,
  ended,
}: {
  name: string;
  /** Slack user id. */
  by: string;
  channelId: string;
  /** Commands in the channel used the connection, and use the default one from now on. */
  isUnpinned: boolean;
  /** How many watches, digests and the like. */
  ended: (Pick<Family, 'noun' | 'plural'> & { count: number })[];
}): Message {
  const counts = ended.filter(({ count }) => count > 0);
  const what = new Intl.ListFormat('en-US').format(
    counts.map(({ noun, plural: many, count }) => plural(count, noun, many)),
  );
  const place = thisPlace(channelId);
  const sentences = [
    `${mention(by)} removed the connection ${bold(name)}.`,
    ...(what ? [`${what} in ${place} ended.`] : []),
    ...(isUnpinned ? [`Commands in ${place} now use the default connection.`] : []),
  ];
  return message([context(sentences.join(' '))]);
}
