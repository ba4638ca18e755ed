import type { Person } from '../../slack/api/person.ts';
import {
  actions,
  button,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../slack/ui/blocks.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { channelMention, mention, moment, quote, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Action, RequestButton } from '../action.ts';
import type { Approval } from '../approval.ts';
import type { RequestRefusal } from '../check-request.ts';
import { formatExcess } from '../hourly-limit.ts';
import type { RequestResult } from '../request-approval.ts';
import { withdrawButton } from './approval-buttons.ts';
import { listPeople } from './format-approvals.ts';
import { formatShortfall, listReasons } from './format-rule.ts';
import { followActionId } from './ids.ts';
import { notRequestedMessage } from './request-fields.ts';

/** The reply to the requester, who alone sees it and can withdraw the request there. */
export function requestSentMessage(approval: Approval, action: Action): Message {
  const where = channelMention(approval.channelId);
  if (approval.breakGlass) {
    return notice(
      `🚨 Belay is running this without approval. The run was announced in ${where}, and an approver must review the run.`,
    );
  }
  const { requiredApprovals } = approval;
  const needed = requiredApprovals > 1 ? ` ${requiredApprovals} approvals are needed.` : '';
  return message([
    section(`Request sent to ${where}.${needed} You'll get a direct message with the decision.`),
    actions([withdrawButton(approval, action)]),
  ]);
}

/** The reply without a request. It repeats the requester's reason, so the reason is not lost. */
export function requestNotSentMessage(
  result: Exclude<RequestResult, { result: 'requested' | 'already-open' }>,
  reason: string,
): Message {
  if (result.result === 'requested-before') {
    return notice("You already sent this request, so it wasn't sent again.");
  }
  return notRequestedMessage(notRequestedReason(result), reason);
}

/**
 * A request about the same subject was made while the form was open. What it requests, `openAction`, may
 * differ from what the form does.
 */
export function alreadyOpenMessage(
  open: Approval,
  openAction: Action,
  { requester, prepared: { action }, reason }: Asked,
): Message {
  const typed = `Your reason was:\n${quote(reason)}`;
  if (action.nameSubjects) {
    const text =
      'No request was sent, because the same change was just requested for at least one of these users. Enter the users again to see who can be included.';
    return message([section(text), actions([button(action.requestAgain)]), section(typed)]);
  }
  const { slackUserId } = requester;
  const blocks = openRequestBlocks(open, openAction, { slackUserId, again: action.requestAgain });
  const text = 'No request was sent, because a similar request is still open.';
  return message([section(text), ...blocks, section(typed)]);
}

/** Asks a person whether to follow the request that is open, or to make another one with `again`. */
export function openRequestBlocks(
  { id, requester, requestedAt, channelId }: Approval,
  action: Action,
  { slackUserId, again }: { slackUserId: string; again: RequestButton },
): KnownBlock[] {
  const isOwn = requester === slackUserId;
  const who = isOwn ? 'You' : mention(requester);
  const text = `${who} already requested approval to ${action.summary} ${moment(requestedAt)} in ${channelMention(channelId)}.`;
  if (isOwn) return [section(`${text} That request is still open.`), actions([button(again)])];
  const follow = button({
    text: 'Follow request',
    actionId: followActionId,
    value: encodeValue({ approvalId: id }),
    style: 'primary',
    accessibilityLabel: `Follow request: ${stripMarkup(action.summary)}`,
  });
  const hint = 'Follow that request to get a direct message with the outcome.';
  return [section(`${text} ${hint}`), actions([follow, button(again)])];
}

type Asked = { requester: Person; prepared: { action: Action }; reason: string };

type NotRequested = Exclude<
  RequestResult,
  { result: 'requested' | 'requested-before' | 'already-open' }
>;

function notRequestedReason(result: NotRequested): string {
  if (result.result === 'connection_replaced') {
    return 'No request was sent, because an admin just changed the connection in setup. Submit the request again.';
  }
  if (result.result === 'no_audience') {
    return directMessageRefusal;
  }
  if (result.result === 'not_posted') {
    return `No request was sent, because Belay can't post in ${channelMention(result.channelId)}. Invite Belay to that channel, or ask an admin to choose another approvals channel in \`/belay setup\`.`;
  }
  if (result.result === 'not_started') {
    return `The run was announced but didn't start. ${result.why} Nothing was changed.`;
  }
  if ('left' in result) return `No request was sent. ${formatExcess(result)}`;
  if ('why' in result) {
    return `No request was sent. ${result.why}`;
  }
  return `No request was sent, because ${lackOfApprovers(result)}`;
}

/** Above the fields of a form whose request would be refused: mrkdwn. */
export function refusalWarning(refusal: RequestRefusal): string {
  const why = 'why' in refusal ? refusal.why : capitalize(lackOfApprovers(refusal));
  return `:warning: *This request would be refused right now.*\n${why}`;
}

function lackOfApprovers(refusal: Exclude<RequestRefusal, { why: string }>): string {
  if (refusal.result === 'no_approver') {
    return `no approver can decide this request:\n${listReasons(refusal.reasons).join('\n')}\nAn admin can add approvers in \`/belay access\`.`;
  }
  if (refusal.result === 'rule_unmet') {
    return `the rule for this action can't be met:\n${formatShortfall(refusal.shortfall)}\nAn admin can change rules in \`/belay access\`.`;
  }
  const { required, able, reasons } = refusal;
  const who = `${listPeople(able)} can`;
  const why =
    reasons.length > 0 ? `. Other approvers can't:\n${listReasons(reasons).join('\n')}` : '.';
  return `${required} people must approve this request, but only ${who}${why}\nAn admin can add approvers in \`/belay access\`.`;
}

/** Where nobody else would see a request. */
export const directMessageRefusal =
  "No request was sent, because approvers can't see a request in a direct message. Run the command in a channel with your approvers, or ask an admin to choose an approvals channel in `/belay setup`.";
