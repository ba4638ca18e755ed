import { type Message, notice } from '../../slack/blocks.ts';
import { channelMention } from '../../slack/mrkdwn.ts';
import type { Loss } from './delivery-store.ts';

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

function pausedText({ watches }: Loss): string[] {
  if (watches === 0) return [];
  const [paused, them] =
    watches === 1 ? ['Your watch there is', 'it'] : [`Your ${watches} watches there are`, 'them'];
  return [
    `${paused} paused. To start ${them} again, invite me with \`/invite\`, then run \`/belay watch\` there.`,
  ];
}
