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
 * channel that had some of it, or used the connection for commands, and can be reached.
 */
export function createEndWithConnection(families: Family[]) {
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
    const ended: { family: Family; at: Destination }[] = [];
    for (const family of families) {
      const places = await endOnConnection(trx, family, connection);
      ended.push(...places.map((place) => ({ family, at: place })));
    }
    const places = [...pins, ...ended.map((one) => one.at)];
    const channels = Map.groupBy(places, ({ channelId }) => channelId);
    // Every transaction locks channels in this order. Otherwise two could deadlock.
    for (const channelId of [...channels.keys()].sort()) {
      const [to] = channels.get(channelId) ?? [];
      if (!to) continue;
      const counts = families.map(({ noun, plural }) => ({
        noun,
        plural,
        count: ended.filter((one) => one.family.noun === noun && one.at.channelId === channelId)
          .length,
      }));
      const isUnpinned = pins.some((pin) => pin.channelId === channelId);
      const removed = { name, by, channelId, isUnpinned, ended: counts };
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
