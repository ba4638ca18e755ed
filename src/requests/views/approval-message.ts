import { type AnswerConnection, answerOn } from '../../slack/ui/answer-connection.ts';
import {
  actions,
  type Button,
  context,
  header,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../slack/ui/blocks.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { formatBreakGlass, formatUnreviewed } from '../break-glass/views/format-review.ts';
import { reviewButtons } from '../break-glass/views/review-blocks.ts';
import {
  approverButtons,
  bodyButtons,
  cancelButtons,
  decidedButtons,
  viewButtons,
  withdrawButton,
} from './approval-buttons.ts';
import { formatStandIns, formatUncounted, formatWaiting } from './format-approvals.ts';
import { formatRule, formatUnmet } from './format-rule.ts';
import {
  formatDecision,
  formatOutcome,
  formatRemarks,
  formatState,
  type StateOptions,
  withRemarks,
} from './format-state.ts';
import { formatTitle } from './format-title.ts';
import { requestFacts } from './request-facts.ts';
import { hasResults, resultBlocks, type SubjectResult } from './subject-results.ts';

/** `approvers` are Slack user ids, named while it is pending; none means the workspace's admins. */
type PeopleOptions = { approvers: string[] };

/** Of a request about several subjects, once it was approved. */
type ResultOptions = { results?: SubjectResult[] | undefined };

/**
 * The request in its channel: the state, the outcome, what is requested, the checks, the reason, the
 * facts, the buttons.
 */
export function approvalMessage(
  approval: Approval,
  action: Action,
  approvers: string[],
  options: StateOptions & ResultOptions = {},
): Message {
  const buttons =
    approval.state === 'pending'
      ? [...approverButtons(approval, action), withdrawButton(approval, action)]
      : [...reviewButtons(approval, action), ...decidedButtons(approval, action, options)];
  return cardMessage(approval, action, { approvers, buttons, ...options });
}

/** All of a request: what a decision rests on. `link` is mrkdwn, if the request is elsewhere. */
function cardMessage(
  approval: Approval,
  action: Action,
  {
    approvers,
    buttons,
    link,
    results,
    ...options
  }: StateOptions & PeopleOptions & ResultOptions & { buttons: Button[]; link?: string },
): Message {
  const isPending = approval.state === 'pending';
  const title = formatTitle(approval, action);
  const verb = isPending ? 'requests' : 'requested';
  const request = approval.breakGlass
    ? formatBreakGlass(approval, action)
    : `${mention(approval.requester)} ${verb} approval to ${action.summary}`;
  const state = formatState(approval, action, options);
  const isRequestFirst = isPending || approval.breakGlass !== undefined;
  const text = isRequestFirst ? `${title}: ${request}. ${state}` : `${title}: ${state} ${request}.`;
  const states = stateBlocks(approval, action, { approvers, ...options });
  const blocks = [
    header(title),
    ...(approval.breakGlass ? [section(request), ...states] : [...states, section(request)]),
    ...(results ? resultBlocks(results) : []),
    ...requestFacts(approval, action),
    ...(isPending && action.warning ? [section(`⚠ ${action.warning}`)] : []),
    ...(link ? [context(link)] : []),
    ...buttonBlocks([
      ...buttons,
      ...viewButtons(approval, action),
      ...bodyButtons(approval, action),
    ]),
  ];
  // Shorter than the blocks, because what is requested comes late in them.
  const shown = message(blocks, withRemarks(text, approval));
  return answerOn(shown, connectionOf(approval));
}

/** The connection that the message names and that its buttons about the subject use. */
function connectionOf({ connectionOriginId, connectionName }: Approval): AnswerConnection {
  return { originId: connectionOriginId, name: connectionName, isNamed: true };
}

/** `link` leads to the request in its channel: mrkdwn. */
type CopyOptions = StateOptions & PeopleOptions & { link: string };

/** The requester's copy, in a direct message. */
export function requesterMessage(
  approval: Approval,
  action: Action,
  { link, ...options }: CopyOptions,
): Message {
  const buttons = [...decidedButtons(approval, action, options), ...viewButtons(approval, action)];
  const about = `Your request to ${action.summary}`;
  return copyMessage(approval, action, { about, link, ...options }, buttons);
}

/** A follower's copy. */
export function followerMessage(
  approval: Approval,
  action: Action,
  { link, ...options }: CopyOptions,
): Message {
  const about = `You're following ${mention(approval.requester)}'s request to ${action.summary}`;
  const buttons = viewButtons(approval, action);
  return copyMessage(approval, action, { about, link, ...options }, buttons);
}

/**
 * The copy of an approver who isn't in the channel: the whole request while it is pending, then its
 * outcome. `isDecidable`: whether the person can decide or cancel at this moment, else there are no buttons
 * for that.
 */
export function approverMessage(
  approval: Approval,
  action: Action,
  { isDecidable, ...options }: CopyOptions & { isDecidable: boolean },
): Message {
  if (approval.breakGlass) {
    const buttons = [...reviewButtons(approval, action), ...cancelButtons(approval, action)];
    return cardMessage(approval, action, { ...options, buttons });
  }
  if (approval.state === 'pending') {
    const buttons = isDecidable ? approverButtons(approval, action) : [];
    return cardMessage(approval, action, { ...options, buttons });
  }
  const about = `${mention(approval.requester)}'s request to ${action.summary}`;
  const cancel = isDecidable ? cancelButtons(approval, action) : [];
  const buttons = [...cancel, ...viewButtons(approval, action)];
  return copyMessage(approval, action, { about, ...options }, buttons);
}

function copyMessage(
  approval: Approval,
  action: Action,
  { about, link, ...options }: CopyOptions & { about: string },
  buttons: Button[],
): Message {
  const title = formatTitle(approval, action);
  const state = formatState(approval, action, options);
  const blocks = [
    header(title),
    ...stateBlocks(approval, action, options),
    // The linked message has the result of each subject.
    ...(hasResults(approval) ? [] : action.changes()).map((line) => section(line)),
    context(`${about} · ${link}`),
    ...buttonBlocks(buttons),
  ];
  // Shorter than the blocks, because what is requested comes last in them.
  const shown = message(blocks, withRemarks(`${title}: ${state} ${about}.`, approval));
  return answerOn(shown, connectionOf(approval));
}

/** The outcome and the decision or, before it, who approved and who still can; then what they wrote. */
function stateBlocks(
  approval: Approval,
  action: Action,
  { approvers, ...options }: StateOptions & PeopleOptions,
): KnownBlock[] {
  const decision = formatDecision(approval, action);
  const lines =
    approval.state === 'pending'
      ? waitingLines(approval, decision, { approvers, ...options })
      : [formatOutcome(approval, action, options), decision, formatUnreviewed(approval, approvers)];
  const remarks = formatRemarks(approval);
  return [section(lines.filter(Boolean).join('\n')), ...remarks.map((remark) => section(remark))];
}

function waitingLines(
  approval: Approval,
  decision: string,
  { approvers, shortfall = [], standIns = [] }: StateOptions & PeopleOptions,
): string[] {
  const ruled = formatRule(approval);
  const waiting =
    ruled.length > 0
      ? ruled
      : [decision, ...formatUncounted(approval), formatWaiting(approval, approvers)];
  const unmet = ruled.length > 0 && shortfall.length > 0 ? [formatUnmet(shortfall)] : [];
  return [...waiting, formatStandIns(approval, standIns), ...unmet];
}

function buttonBlocks(buttons: Button[]): KnownBlock[] {
  return buttons.length > 0 ? [actions(buttons)] : [];
}
