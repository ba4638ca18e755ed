import { type AnswerConnection, answerOn } from '../../../slack/ui/answer-connection.ts';
import {
  actions,
  context,
  header,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, moment, quote } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { Detail } from '../approvable-action.ts';
import type { Approval, StoredCheck } from '../approval.ts';
import type { BoundAction } from '../bound-action.ts';
import { bodyButtons, decidedButtons, decisionButtons, viewButtons } from './approval-buttons.ts';
import { formatMissing } from './format-approvals.ts';
import {
  formatDecision,
  formatDenial,
  formatOutcome,
  formatState,
  type StateOptions,
  withDenial,
} from './format-state.ts';
import { formatTitle } from './format-title.ts';

/**
 * The request in its channel: the state, the outcome, what is requested, the checks, the reason, the
 * facts, the buttons. `approvers` are Slack user ids, mentioned while it is pending.
 */
export function approvalMessage(
  approval: Approval,
  action: BoundAction,
  approvers: string[],
  options: StateOptions = {},
): Message {
  const isPending = approval.state === 'pending';
  const title = formatTitle(approval, action);
  const verb = isPending ? 'requests' : 'requested';
  const request = `${mention(approval.requester)} ${verb} approval to ${action.summary}`;
  const state = formatState(approval, action, options);
  const text = isPending
    ? `${title}: ${request}. ${state}`
    : withDenial(`${title}: ${state} ${request}.`, approval);
  const buttons = isPending
    ? decisionButtons(approval, action)
    : decidedButtons(approval, action, options);
  const shown = message(text, [
    header(title),
    ...(isPending
      ? [section(join(formatDecision(approval, action), formatWaiting(approval, approvers)))]
      : stateBlocks(approval, action, options)),
    section(request),
    ...action.changes.map((line) => section(line)),
    ...checkBlocks(approval),
    section(formatReason(approval)),
    ...detailBlocks(approval, action),
    ...(isPending && action.warning ? [section(`⚠ ${action.warning}`)] : []),
    ...buttonBlocks([
      ...buttons,
      ...viewButtons(approval, action),
      ...bodyButtons(approval, action),
    ]),
  ]);
  return answerOn(shown, connectionOf(approval));
}

/** The connection that the message names and that its buttons about the subject use. */
function connectionOf({ connectionOriginId, connectionName }: Approval): AnswerConnection {
  return { originId: connectionOriginId, name: connectionName, isNamed: true };
}

/** `link` leads to the request in its channel: mrkdwn. */
type CopyOptions = StateOptions & { link: string };

/** The requester's copy, in a direct message. */
export function requesterMessage(
  approval: Approval,
  action: BoundAction,
  { link, ...options }: CopyOptions,
): Message {
  const buttons = [...decidedButtons(approval, action, options), ...viewButtons(approval, action)];
  const about = `Your request to ${action.summary}`;
  return copyMessage(approval, action, { about, link, ...options }, buttonBlocks(buttons));
}

/** A follower's copy. */
export function followerMessage(
  approval: Approval,
  action: BoundAction,
  { link, ...options }: CopyOptions,
): Message {
  const about = `You're following ${mention(approval.requester)}'s request to ${action.summary}`;
  const buttons = buttonBlocks(viewButtons(approval, action));
  return copyMessage(approval, action, { about, link, ...options }, buttons);
}

function copyMessage(
  approval: Approval,
  action: BoundAction,
  { about, link, ...options }: CopyOptions & { about: string },
  buttons: KnownBlock[],
): Message {
  const title = formatTitle(approval, action);
  const state = formatState(approval, action, options);
  const text = withDenial(`${title}: ${state} ${about}.`, approval);
  const shown = message(text, [
    header(title),
    ...stateBlocks(approval, action, options),
    ...action.changes.map((line) => section(line)),
    context(`${about} · ${link}`),
    ...buttons,
  ]);
  return answerOn(shown, connectionOf(approval));
}

function stateBlocks(approval: Approval, action: BoundAction, options: StateOptions): KnownBlock[] {
  const decision = formatDecision(approval, action);
  const denial = formatDenial(approval);
  return [
    section(join(formatOutcome(approval, action, options), decision)),
    ...(denial ? [section(denial)] : []),
  ];
}

function buttonBlocks(buttons: Parameters<typeof actions>[0]): KnownBlock[] {
  return buttons.length > 0 ? [actions(buttons)] : [];
}

/** Quoted, because people decide by it, and it could imitate a line of Belay. */
function formatReason({ requester, reason }: Approval): string {
  return `*Reason* from ${mention(requester)}\n${quote(reason)}`;
}

/** The subject at the time of the request; labeled as such once it was decided. */
function detailBlocks({ preview, state }: Approval, action: BoundAction): KnownBlock[] {
  const format = (details: Detail[]) =>
    details.map(({ label, value }) => `${label}: ${value}`).join(' · ');
  const seen = format(preview);
  const dated = seen && state !== 'pending' ? `When requested: ${seen}` : seen;
  const facts = [format(action.details), dated].filter(Boolean).join(' · ');
  return facts ? [context(cutMrkdwn(facts, 1500))] : [];
}

const atRequest = 'At the time of the request:';

/** One line per guard, those that could not be checked included: approvers weigh both. */
function checkBlocks({ checks, state }: Approval): KnownBlock[] {
  if (checks.length === 0) return [];
  const lines = checks.map(formatCheck);
  return [section((state === 'pending' ? lines : [atRequest, ...lines]).join('\n'))];
}

/** Requests of earlier versions have other words, or labels alone. */
function formatCheck({ label, result, words = label, detail }: StoredCheck): string {
  const text = detail ? `${words} (${detail})` : words;
  return result === 'passed' ? `✓ ${capitalize(text)}` : `⚠ Not checked: ${text}`;
}

function formatWaiting(approval: Approval, approvers: string[]): string {
  const { requester, expiresAt, requiredApprovals, votes } = approval;
  const excluded = [requester, ...votes.map(({ by }) => by)];
  const others = approvers.filter((approver) => !excluded.includes(approver));
  const shown = others.slice(0, 10).map(mention).join(', ');
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  const who = shown && `${shown}${more}`;
  const until = moment(expiresAt);
  if (requiredApprovals === 1) {
    return `Waiting for ${who || 'an admin of this workspace'} until ${until}.`;
  }
  const missing = formatMissing(approval);
  return `Waiting for ${missing} from ${who || 'the admins of this workspace'} until ${until}.`;
}

function join(...lines: string[]): string {
  return lines.filter(Boolean).join('\n');
}
