import {
  actions,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { Outage, PolicyWatch } from '../watch.ts';
import { endPoliciesActionId } from './ids.ts';
import { formatOutage } from './watch-notices.ts';

/** What a policy watch posts. */
export const policyWatchText = 'policy changes made outside Belay';

/** For the channel, when somebody has added or ended the watch. */
export function policyWatchMessage(change: 'added' | 'ended', by: string): Message {
  const verb = { added: 'added a watch to', ended: 'ended a watch in' };
  const text = `${mention(by)} ${verb[change]} this channel: ${policyWatchText}. Manage watches with \`/belay watch\`.`;
  return message(text, [context(text)]);
}

/** The answer to the person; `intervalMs` is how often the policies are read. */
export function policyWatchAddedMessage(intervalMs: number): Message {
  const every = plural(Math.round(intervalMs / 60_000), 'minute');
  return notice(
    `Watch added. ${capitalize(policyWatchText)} are posted in this channel. Belay reads the policies every ${every}.`,
  );
}

export function policyWatchExistsMessage(
  { createdBy, createdAt }: PolicyWatch,
  { isResumed }: { isResumed: boolean },
): Message {
  const exists = `This channel already has a watch for ${policyWatchText}, added by ${mention(createdBy)} ${moment(createdAt)}. No watch was added.`;
  return notice([exists, ...formatResumedPolicies(isResumed)].join('\n'));
}

/** A line for the answer to the command that resumed a paused watch. */
export function formatResumedPolicies(isResumed: boolean): string[] {
  return isResumed
    ? ["1 paused policy watch resumed. Policy changes made during the pause aren't posted."]
    : [];
}

export const notListedMessage: Message = notice(
  "No watch was added: this service doesn't list its policies, so Belay can't see changes to them.",
);

/** The watch in the list of a channel, with a button if the person may end it. */
export function policyWatchBlocks(
  { channelId, createdBy, createdAt, pausedReason }: PolicyWatch,
  outage: Outage | undefined,
  mayChange: boolean,
): { blocks: KnownBlock[]; text: string } {
  const what = capitalize(policyWatchText);
  const text = [
    what,
    ...(pausedReason ? [`:double_vertical_bar: Paused: ${pausedReason}`] : []),
    ...(outage ? [formatOutage(outage)] : []),
    `Added by ${mention(createdBy)} ${moment(createdAt)}`,
  ].join('\n');
  const end = button({
    ...{ text: 'End watch', actionId: endPoliciesActionId, value: encodeValue({ channelId }) },
    accessibilityLabel: `End watch: ${what}`,
    confirm: confirmation({
      title: 'End this watch?',
      question: `${what}. Belay stops posting these changes here. Messages already posted stay.`,
      verb: 'End watch',
    }),
  });
  return { blocks: [section(text), ...(mayChange ? [actions([end])] : [])], text };
}
