import { thisPlace } from '../../../slack/api/channel.ts';
import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { bold, mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';

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
