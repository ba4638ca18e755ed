import { thisPlace } from '../../../slack/api/channel.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { PolicyWatch } from '../watch.ts';
import { formatDuplicate, formatResumed } from './watch-notices.ts';

/** What a policy watch posts. */
export const policyWatchText = 'policy changes made outside Belay';

/** The answer to the person; `intervalMs` is how often the policies are read. */
export function policyWatchAddedMessage(channelId: string, intervalMs: number): Message {
  const every = plural(Math.round(intervalMs / 60_000), 'minute');
  return notice(
    `Watch added. ${capitalize(policyWatchText)} are posted in ${thisPlace(channelId)}. Belay reads the policies every ${every}.`,
  );
}

export function policyWatchExistsMessage(watch: PolicyWatch, policies: number): Message {
  const exists = `${formatDuplicate(watch, policyWatchText)} No watch was added.`;
  return notice([exists, ...formatResumed({ policies })].join('\n'));
}

export const notListedMessage: Message = notice(
  "No watch was added: this service doesn't list its policies, so Belay can't see changes to them.",
);
