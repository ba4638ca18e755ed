import { type Message, notice } from '../slack/ui/blocks.ts';
import { channelMention } from '../slack/ui/mrkdwn.ts';
import type { Loss } from './outbox-store.ts';

/** For whoever set up what posts there. */
export function unreachableMessage(channelId: string, loss: Loss): Message {
  const channel = channelMention(channelId);
  const sentences = [
    `I can no longer post in ${channel}: it is archived or gone, or I was removed from it.`,
    ...droppedText(loss),
    ...pausedText(loss),
  ];
  return notice(sentences.join(' '));
}

function droppedText({ dropped }: Loss): string[] {
  if (dropped === 0) return [];
  return [
    dropped === 1 ? '1 message for it was dropped.' : `${dropped} messages for it were dropped.`,
  ];
}

function pausedText({ watches, digests }: Loss): string[] {
  const count = watches + digests;
  if (count === 0) return [];
  const what = [
    ...(watches > 0 ? [watches === 1 ? 'watch' : `${watches} watches`] : []),
    ...(digests > 0 ? [digests === 1 ? 'digest' : `${digests} digests`] : []),
  ].join(' and your ');
  const commands = [
    ...(watches > 0 ? ['`/belay watch`'] : []),
    ...(digests > 0 ? ['`/belay digest`'] : []),
  ].join(' and ');
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    `Your ${what} there ${are} paused. To start ${them} again, invite me with \`/invite\`, then run ${commands} there.`,
  ];
}
