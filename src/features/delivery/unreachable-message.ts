import { type Message, notice } from '../../slack/blocks.ts';
import { channelMention } from '../../slack/mrkdwn.ts';

/** For whoever set up what posts there. */
export function unreachableMessage(channelId: string, droppedCount: number): Message {
  const dropped =
    droppedCount === 1 ? '1 message for it was' : `${droppedCount} messages for it were`;
  return notice(
    `I can no longer post in ${channelMention(channelId)}: it is archived or gone, or I was removed from it. ${dropped} dropped. Watches there are paused: to start them again, invite me with \`/invite\`, then run \`/belay watch\` there.`,
  );
}
