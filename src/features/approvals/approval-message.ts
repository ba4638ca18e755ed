import {
  actions,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../slack/blocks.ts';
import { encodeValue } from '../../slack/codec.ts';
import { mention, moment, plainOf, safe } from '../../slack/mrkdwn.ts';
import type { BoundAction } from './approvable-action.ts';
import type { Approval } from './approval.ts';
import { approveActionId, denyActionId, withdrawActionId } from './ids.ts';
import { stateLine } from './state-line.ts';

/** The request as its channel sees it, drawn from the row alone. `approvers` are asked by name. */
export function approvalMessage(
  approval: Approval,
  action: BoundAction,
  approvers: string[],
): Message {
  const title = `${mention(approval.requester)} asks to ${action.summary}.`;
  const blocks: KnownBlock[] = [
    section(title),
    section(`*Reason*\n${safe(approval.reason, 1000)}`),
    context(action.details.map(({ label, value }) => `${label} ${value}`).join(' · ')),
    ...(approval.state === 'pending'
      ? [
          ...(action.warning ? [section(`:warning: ${action.warning}`)] : []),
          pendingActions(approval, action),
          context(waitingLine(approval, approvers)),
        ]
      : [context(stateLine(approval, action)), ...undoActions(approval, action)]),
  ];
  const state =
    approval.state === 'pending' ? 'Waiting for approval.' : stateLine(approval, action);
  return message(`${title} ${state}`, blocks);
}

function pendingActions(approval: Approval, action: BoundAction): KnownBlock {
  const value = encodeValue({ approvalId: approval.id });
  const question = plainSummary(action);
  return actions([
    button({
      text: 'Approve',
      actionId: approveActionId,
      value,
      style: action.style,
      confirm: confirmation({
        title: 'Approve this request?',
        question: action.warning ? `${question} ${plainOf(action.warning)}` : question,
        verb: 'Approve',
        isDanger: action.style === 'danger',
      }),
    }),
    button({ text: 'Deny', actionId: denyActionId, value }),
    button({
      text: 'Withdraw',
      actionId: withdrawActionId,
      value,
      confirm: confirmation({
        title: 'Withdraw this request?',
        question: 'Only the person who asked can withdraw it. Nothing will be changed.',
        verb: 'Withdraw',
      }),
    }),
  ]);
}

function undoActions(approval: Approval, { undo }: BoundAction): KnownBlock[] {
  return undo && approval.state === 'succeeded' ? [actions([button(undo)])] : [];
}

function waitingLine({ requester, expiresAt }: Approval, approvers: string[]): string {
  const others = approvers.filter((approver) => approver !== requester);
  const shown = others.slice(0, 10).map(mention).join(', ');
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  const who = shown ? `${shown}${more}` : 'an admin of this workspace';
  return `Waiting for ${who} until ${moment(expiresAt)}. Nobody can approve their own request.`;
}

function plainSummary(action: BoundAction): string {
  const text = plainOf(action.summary);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}
