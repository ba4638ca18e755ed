import { thisPlace } from '../../../slack/api/channel.ts';
import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { bold, mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';

/** For a channel whose watches or digests ended because their connection was removed. */
export function connectionRemovedMessage({
  name,
  by,
  channelId,
  watches,
  digests,
}: {
  name: string;
  by: string | undefined;
  channelId: string;
  watches: number;
  digests: number;
}): Message {
  const who = by === undefined ? 'the operator of Belay' : mention(by);
  const what = [
    ...(watches > 0 ? [plural(watches, 'watch', 'watches')] : []),
    ...(digests > 0 ? [plural(digests, 'digest')] : []),
  ].join(' and ');
  const text = `${what} in ${thisPlace(channelId)} ended: ${who} removed the connection ${bold(name)}.`;
  return message(text, [context(text)]);
}
