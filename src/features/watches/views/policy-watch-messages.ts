import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  button,
  confirmation,
  type KnownBlock,
  type Message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { formatConnectionName } from '../../workspaces/index.ts';
import type { Outage, PolicyWatch } from '../watch.ts';
import { endPoliciesActionId } from './ids.ts';
import { formatOutage, type ShownFor } from './watch-notices.ts';

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

/** The watch in the list of a channel, with a button if the person may end it. */
export function policyWatchBlocks(
  watch: PolicyWatch & { outage: Outage | undefined },
  { mayChange, connectionName }: ShownFor,
): KnownBlock[] {
  const { channelId, originId, createdBy, createdAt, pausedReason, outage } = watch;
  const what = capitalize(policyWatchText);
  const text = [
    `${what}${formatConnectionName(connectionName)}`,
    ...(pausedReason ? [`:double_vertical_bar: Paused: ${pausedReason}`] : []),
    ...(outage ? [formatOutage(outage)] : []),
    `Added by ${mention(createdBy)} ${moment(createdAt)}`,
  ].join('\n');
  const end = button({
    text: 'End watch',
    actionId: endPoliciesActionId,
    value: encodeValue({ channelId, originId }),
    accessibilityLabel: `End watch: ${what}`,
    confirm: confirmation({
      title: 'End this watch?',
      question: `${what}. Belay stops posting these changes here. Messages already posted stay.`,
      verb: 'End watch',
    }),
  });
  return [section(text), ...(mayChange ? [actions([end])] : [])];
}
