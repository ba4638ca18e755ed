import { thisPlace } from '../../../slack/api/channel.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { PolicyWatch } from '../watch.ts';

/** What a policy watch posts. */
export const policyWatchText = 'policy changes made outside Belay';

/** The answer to the person; `intervalMs` is how often the policies are read. */
export function policyWatchAddedMessage(channelId: string, intervalMs: number): Message {
  const every = plural(Math.round(intervalMs / 60_000), 'minute');
  return notice(
    `Watch added. ${capitalize(policyWatchText)} are posted in ${thisPlace(channelId)}. Belay reads the policies every ${every}.`,
  );
}

export function policyWatchExistsMessage(
  { channelId, createdBy, createdAt }: PolicyWatch,
  { resumed }: { resumed: number },
): Message {
  const exists = `${capitalize(thisPlace(channelId))} already has a watch for ${policyWatchText}, added by ${mention(createdBy)} ${moment(createdAt)}. No watch was added.`;
  return notice([exists, ...formatResumedPolicies(resumed)].join('\n'));
}

/** A line for the answer to the command that resumed paused watches; none if there were none. */
export function formatResumedPolicies(resumed: number): string[] {
  if (resumed === 0) return [];
  return [
    `${plural(resumed, 'paused policy watch', 'paused policy watches')} resumed. Policy changes made during the pause aren't posted.`,
  ];
}

export const notListedMessage: Message = notice(
  "No watch was added: this service doesn't list its policies, so Belay can't see changes to them.",
);
