import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { channelMention } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { Loss } from './store/abandon.ts';
import type { LeasedChannel } from './store/channels.ts';
import type { OutboxStore } from './store/outbox-store.ts';

/** Shown in the list of watches or digests, by the command that resumes them. */
const pausedReasons = {
  unreachable: "Belay couldn't post in this channel. Invite Belay, then run this command again.",
  'no-access': 'The person who set this up lost access to Belay.',
};

const logged = {
  unreachable:
    'a channel is unreachable; its messages were dropped, its watches and digests paused',
  'no-access':
    'someone lost access to Belay; messages to them were dropped, their watches and digests paused',
};

/**
 * Gives up a channel that Belay cannot post in anymore, or direct messages whose reader has lost access
 * to Belay: pauses what posts there, drops what waits, and notifies each affected owner once.
 */
export async function abandonChannel(
  channel: LeasedChannel,
  why: keyof typeof pausedReasons,
  { store, clock, log }: { store: OutboxStore; clock: Clock; log: Logger },
): Promise<void> {
  const { teamId, channelId } = channel;
  const losses = await store.abandon(channel, {
    at: clock(),
    reason: pausedReasons[why],
    notify: (owner, loss) => noticeTo(owner, channel, { loss, why }),
  });
  const dropped = losses.reduce((sum, loss) => sum + loss.dropped, 0);
  const paused: Record<string, number> = {};
  for (const { plural, count } of losses.flatMap((loss) => loss.paused)) {
    paused[plural] = (paused[plural] ?? 0) + count;
  }
  log.warn({ teamId, channelId, dropped, ...paused }, logged[why]);
}

/** Slack accepts a user id as the channel of a direct message, so the outbox can send the notice. */
function noticeTo(
  owner: string,
  { teamId, channelId, holder }: LeasedChannel,
  { loss, why }: { loss: Loss; why: keyof typeof pausedReasons },
) {
  // The unreachable channel is the owner's direct messages: there is no other way to notify them.
  if (channelId === owner) return undefined;
  return {
    to: { teamId, channelId: owner, ownerSlackUserId: owner },
    outgoing: {
      // With the lease's holder, so that the next loss of the same channel is a separate message.
      subject: `unreachable:${channelId}:${holder}`,
      message: why === 'no-access' ? noAccessMessage(loss) : unreachableMessage(channelId, loss),
    },
  };
}

export function unreachableMessage(channelId: string, loss: Loss): Message {
  const channel = channelMention(channelId);
  const lines = [
    `:warning: Belay can't post in ${channel} anymore: the channel was archived or deleted, or Belay was removed.`,
    ...formatDropped(loss),
    ...formatPaused(loss),
  ];
  return notice(lines.join('\n'));
}

export function noAccessMessage({ paused }: Pick<Loss, 'paused'>): Message {
  const total = paused.reduce((sum, { count }) => sum + count, 0);
  const what =
    total === 0
      ? ''
      : ` Your ${namePaused(paused)} in your direct messages with Belay ${total === 1 ? 'is' : 'are'} paused.`;
  return notice(`You no longer have access to Belay.${what}`);
}

function namePaused(paused: Loss['paused']): string {
  return paused
    .map((what) => (what.count === 1 ? what.noun : `${what.count} ${what.plural}`))
    .join(' and your ');
}

function formatDropped({ dropped }: Loss): string[] {
  if (dropped === 0) return [];
  return [
    `${plural(dropped, 'message')} for this channel ${dropped === 1 ? "wasn't" : "weren't"} delivered.`,
  ];
}

function formatPaused({ paused }: Loss): string[] {
  if (paused.length === 0) return [];
  const total = paused.reduce((sum, { count }) => sum + count, 0);
  const commands = paused.map(({ command }) => `\`${command}\``).join(' and ');
  return [
    `Your ${namePaused(paused)} in this channel ${total === 1 ? 'is' : 'are'} paused. To resume, run \`/invite @Belay\` in the channel, then ${commands}.`,
  ];
}
