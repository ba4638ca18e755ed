import { type Message, notice } from '../../slack/ui/blocks.ts';
import { channelMention } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { Paused } from './handlers.ts';

/** What an owner loses when a channel becomes unreachable. */
export type Loss = {
  /** Messages that nobody will see. */
  dropped: number;
  /** What posts there and is paused now; nothing with a count of 0. */
  paused: (Omit<Paused, 'owners'> & { count: number })[];
};

/** Why a channel is given up. Direct messages also are when their reader loses access to Belay. */
export type LossReason = 'unreachable' | 'no-access';

/** Shown in the list of watches or digests, by the command that resumes them. */
export const pausedReasons: Record<LossReason, string> = {
  unreachable: "Belay couldn't post in this channel. Invite Belay, then run this command again.",
  'no-access': 'The person who set this up lost access to Belay.',
};

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
