import { type AnswerConnection, answerOn } from '../../slack/ui/answer-connection.ts';
import {
  actionsIfAny,
  type Button,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
  shownHeader,
} from '../../slack/ui/blocks.ts';
import { withMoreMenu } from '../../slack/ui/more-menu.ts';
import { mention, moment } from '../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../slack/ui/words.ts';
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
import { formatStateLine, formatSubject, formatTitle } from './format-title.ts';
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
  if (approval.state === 'pending') {
    return cardMessage(approval, action, {
      approvers,
      ...splitDecision(approval, action),
      ...options,
    });
  }
  const buttons = [
    ...reviewButtons(approval, action),
    ...decidedButtons(approval, action, options),
  ];
  return cardMessage(approval, action, { approvers, buttons, ...options });
}

/** Characters: a longer subject may be cut in the title. */
const maxSubject = 100;

/** What is requested, in full. */
function titleBlocks(approval: Approval, action: Action): KnownBlock[] {
  const subject = formatSubject(approval, action);
  const isCut = subject.length > maxSubject;
  return [shownHeader(subject), ...(isCut ? [section(capitalize(action.summary))] : [])];
}

/** *Approve* and *Deny*; the rest is for the menu. */
function splitDecision(approval: Approval, action: Action) {
  const [approve, comment, deny] = approverButtons(approval, action);
  return { buttons: [approve, deny], more: [comment] };
}

/** All of a request: what a decision rests on. `link` is mrkdwn, if the request is elsewhere. */
function cardMessage(
  approval: Approval,
  action: Action,
  {
    approvers,
    buttons,
    more = [],
    link,
    results,
    ...options
  }: StateOptions &
    PeopleOptions &
    ResultOptions & { buttons: Button[]; more?: Button[]; link?: string },
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
  const rest = [...more, ...viewButtons(approval, action), ...bodyButtons(approval, action)];
  const blocks = [
    ...titleBlocks(approval, action),
    ...states,
    ...(results ? resultBlocks(results) : []),
    ...requestFacts(approval, action),
    ...(isPending && action.warning ? [section(`⚠ ${action.warning}`)] : []),
    ...(link ? [context(link)] : []),
    ...actionsIfAny(withMoreMenu(buttons, rest)),
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
  return copyMessage(approval, action, { whose: 'Your', link, ...options }, buttons);
}

/** A follower's copy. */
export function followerMessage(
  approval: Approval,
  action: Action,
  { link, ...options }: CopyOptions,
): Message {
  const whose = `You're following ${mention(approval.requester)}'s`;
  const buttons = viewButtons(approval, action);
  return copyMessage(approval, action, { whose, link, ...options }, buttons);
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
    const decision = isDecidable ? splitDecision(approval, action) : { buttons: [] };
    return cardMessage(approval, action, { ...options, ...decision });
  }
  const whose = `${mention(approval.requester)}'s`;
  const cancel = isDecidable ? cancelButtons(approval, action) : [];
  const buttons = [...cancel, ...viewButtons(approval, action)];
  return copyMessage(approval, action, { whose, ...options }, buttons);
}

/** `whose`: how the sentence about the request begins, "Your". */
function copyMessage(
  approval: Approval,
  action: Action,
  { whose, link, ...options }: CopyOptions & { whose: string },
  buttons: Button[],
): Message {
  const title = formatTitle(approval, action);
  const state = formatState(approval, action, options);
  const about = `${whose} request to ${action.summary}`;
  const blocks = [
    ...titleBlocks(approval, action),
    ...stateBlocks(approval, action, options),
    // The linked message has the result of each subject.
    ...(hasResults(approval) ? [] : action.changes()).map((line) => section(line)),
    context(`${whose} request · ${link}`),
    ...actionsIfAny(buttons),
  ];
  // Shorter than the blocks, because what is requested comes last in them.
  const shown = message(blocks, withRemarks(`${title}: ${state} ${about}.`, approval));
  return answerOn(shown, connectionOf(approval));
}

/** The state and the outcome or, before it, who approved and who still can; then what they wrote. */
function stateBlocks(
  approval: Approval,
  action: Action,
  { approvers, ...options }: StateOptions & PeopleOptions,
): KnownBlock[] {
  const decision = formatDecision(approval, action);
  const lines =
    approval.state === 'pending'
      ? waitingLines(approval, action, { approvers, ...options })
      : [
          formatStateLine(approval, action, [decision]),
          formatOutcome(approval, action, options),
          formatUnreviewed(approval, approvers),
        ];
  const remarks = formatRemarks(approval);
  return [section(lines.filter(Boolean).join('\n')), ...remarks.map((remark) => section(remark))];
}

function waitingLines(
  approval: Approval,
  action: Action,
  { approvers, shortfall = [], standIns = [] }: StateOptions & PeopleOptions,
): string[] {
  const [needed, ...parts] = formatRule(approval);
  const waiting = needed ?? formatWaiting(approval, approvers);
  const expiry = `Expires ${moment(approval.expiresAt)}`;
  const progress = [formatDecision(approval, action), ...formatUncounted(approval)];
  return [
    formatStateLine(approval, action, [waiting, expiry]),
    ...(needed === undefined ? progress : parts),
    formatStandIns(approval, standIns),
    ...(needed !== undefined && shortfall.length > 0 ? [formatUnmet(shortfall)] : []),
  ];
}
