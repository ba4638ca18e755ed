import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { type Message, notice } from '../slack/ui/blocks.ts';
import { channelMention } from '../slack/ui/mrkdwn.ts';
import type { Loss } from './store/abandon.ts';
import type { LeasedChannel } from './store/channels.ts';
import type { OutboxStore } from './store/outbox-store.ts';

/** Shown in the list of watches or digests, by the command that resumes them. */
const pausedReason =
  'Belay could not post here any more. Invite it again, then run this command once more.';

/**
 * Gives up a channel that Belay cannot post in any more: pauses what posts there, drops what waits,
 * and notifies each affected owner once.
 */
export async function abandonChannel(
  channel: LeasedChannel,
  { store, clock, log }: { store: OutboxStore; clock: Clock; log: Logger },
): Promise<void> {
  const { teamId, channelId } = channel;
  const losses = await store.abandon(channel, {
    at: clock(),
    reason: pausedReason,
    notify: (owner, loss) => noticeTo(owner, channel, loss),
  });
  const dropped = losses.reduce((sum, loss) => sum + loss.dropped, 0);
  const paused: Record<string, number> = {};
  for (const { plural, count } of losses.flatMap((loss) => loss.paused)) {
    paused[plural] = (paused[plural] ?? 0) + count;
  }
  log.warn(
    { teamId, channelId, dropped, ...paused },
    'a channel is unreachable; its messages were dropped, its watches and digests paused',
  );
}

/** Slack accepts a user id as the channel of a direct message, so the outbox can send the notice. */
function noticeTo(owner: string, { teamId, channelId, holder }: LeasedChannel, loss: Loss) {
  // The unreachable channel is the owner's direct messages: there is no other way to notify them.
  if (channelId === owner) return undefined;
  return {
    to: { teamId, channelId: owner, ownerSlackUserId: owner },
    outgoing: {
      // With the lease's holder, so that the next loss of the same channel is a message of its own.
      subject: `unreachable:${channelId}:${holder}`,
      message: unreachableMessage(channelId, loss),
    },
  };
}

export function unreachableMessage(channelId: string, loss: Loss): Message {
  const channel = channelMention(channelId);
  const sentences = [
    `I can no longer post in ${channel}: it is archived or gone, or I was removed from it.`,
    ...formatDropped(loss),
    ...formatPaused(loss),
  ];
  return notice(sentences.join(' '));
}

function formatDropped({ dropped }: Loss): string[] {
  if (dropped === 0) return [];
  return [
    dropped === 1 ? '1 message for it was dropped.' : `${dropped} messages for it were dropped.`,
  ];
}

function formatPaused({ paused }: Loss): string[] {
  if (paused.length === 0) return [];
  const total = paused.reduce((sum, { count }) => sum + count, 0);
  const what = paused
    .map(({ noun, plural, count }) => (count === 1 ? noun : `${count} ${plural}`))
    .join(' and your ');
  const commands = paused.map(({ command }) => `\`${command}\``).join(' and ');
  const [are, them] = total === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    `Your ${what} there ${are} paused. To start ${them} again, invite me with \`/invite\`, then run ${commands} there.`,
  ];
}
