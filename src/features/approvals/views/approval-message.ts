import {
  actions,
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, moment, quote } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { Detail } from '../approvable-action.ts';
import type { Approval, StoredCheck } from '../approval.ts';
import type { BoundAction } from '../bound-action.ts';
import { decidedButtons, decisionButtons } from './approval-buttons.ts';
import { formatDenial, formatState, withDenial } from './format-state.ts';

/** The request in its channel. `approvers` are Slack user ids, mentioned while it is pending. */
export function approvalMessage(
  approval: Approval,
  action: BoundAction,
  approvers: string[],
): Message {
  const title = `${mention(approval.requester)} asks to ${action.summary}.`;
  const isPending = approval.state === 'pending';
  const state = isPending ? 'Waiting for approval.' : formatState(approval, action);
  const facts = [
    section(title),
    ...action.changes.map((line) => section(line)),
    ...checkBlocks(approval),
    section(formatReason(approval)),
    context(formatDetails(approval, action)),
  ];
  const rest = isPending
    ? pendingBlocks(approval, action, approvers)
    : decidedBlocks(approval, action, state);
  return message(withDenial(`${title} ${state}`, approval), [...facts, ...rest]);
}

/** The requester's copy, in a direct message, with the state of the request. */
export function requesterMessage(approval: Approval, action: BoundAction): Message {
  const state = formatState(approval, action);
  const text = withDenial(`Your request to ${action.summary}: ${state}`, approval);
  const buttons = decidedButtons(approval, action);
  return message(text, [section(text), ...(buttons.length > 0 ? [actions(buttons)] : [])]);
}

/** A follower's copy. */
export function followerMessage(approval: Approval, action: BoundAction): Message {
  const what = `The request of ${mention(approval.requester)} to ${action.summary}`;
  return notice(`${what}, which you follow: ${formatState(approval, action)}`);
}

function pendingBlocks(approval: Approval, action: BoundAction, approvers: string[]): KnownBlock[] {
  return [
    ...(action.warning ? [section(`:warning: ${action.warning}`)] : []),
    actions(decisionButtons(approval, action)),
    context(formatWaiting(approval, approvers)),
  ];
}

function decidedBlocks(approval: Approval, action: BoundAction, state: string): KnownBlock[] {
  const buttons = decidedButtons(approval, action);
  const denial = formatDenial(approval);
  return [
    context(state),
    ...(denial ? [section(denial)] : []),
    ...(buttons.length > 0 ? [actions(buttons)] : []),
  ];
}

/** Quoted, because people decide by it, and it could imitate a line of Belay. */
function formatReason({ requester, reason }: Approval): string {
  return `*Reason* from ${mention(requester)}\n${quote(reason)}`;
}

/** The subject at the time of the request; labeled as such once it was decided. */
function formatDetails({ preview, state }: Approval, action: BoundAction): string {
  const format = (details: Detail[]) =>
    details.map(({ label, value }) => `${label} ${value}`).join(' · ');
  const seen = format(preview);
  const dated = seen && state !== 'pending' ? `When asked: ${seen}` : seen;
  return cutMrkdwn([format(action.details), dated].filter(Boolean).join(' · '), 1500);
}

/** One line per guard, those that could not be checked included: approvers weigh both. */
function checkBlocks({ checks, state }: Approval): KnownBlock[] {
  if (checks.length === 0) return [];
  const lines = checks.map(formatCheck);
  return [context((state === 'pending' ? lines : ['When asked:', ...lines]).join('\n'))];
}

/** Requests of earlier versions have other words, or labels alone. */
function formatCheck({ label, result, words = label, detail }: StoredCheck): string {
  const text = detail ? `${words} (${detail})` : words;
  return result === 'passed' ? `✓ ${capitalize(text)}` : `⚠ Not checked: ${text}`;
}

function formatWaiting({ requester, expiresAt }: Approval, approvers: string[]): string {
  const others = approvers.filter((approver) => approver !== requester);
  const shown = others.slice(0, 10).map(mention).join(', ');
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  const who = shown ? `${shown}${more}` : 'an admin of this workspace';
  return `Waiting for ${who} until ${moment(expiresAt)}. Nobody can approve their own request.`;
}
