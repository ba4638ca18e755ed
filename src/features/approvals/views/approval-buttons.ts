import { button, confirmation } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import type { Approval } from '../approval.ts';
import { type BoundAction, stepOf, stepsBefore } from '../bind-action.ts';
import { approveActionId, cancelDeletionActionId, denyActionId, withdrawActionId } from './ids.ts';

type Button = ReturnType<typeof button>;

/** To decide with, while it is pending. */
export function decisionButtons(approval: Approval, action: BoundAction): Button[] {
  const value = encodeValue({ approvalId: approval.id });
  const question = plainSummary(action);
  return [
    button({
      text: 'Approve',
      actionId: approveActionId,
      value,
      style: action.style,
      confirm: confirmation({
        title: 'Approve this request?',
        question: action.warning ? `${question} ${stripMarkup(action.warning)}` : question,
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
  ];
}

/** What can still be done about it afterwards: stop it, take it back, or ask anew. */
export function followingButtons(approval: Approval, action: BoundAction): Button[] {
  const { state, attempts } = approval;
  if (state === 'scheduled' && action.keep) {
    const value = encodeValue({ approvalId: approval.id });
    return [
      button({ text: 'Keep this user', actionId: cancelDeletionActionId, value, style: 'primary' }),
    ];
  }
  // Voided before it was tried: by a new connection, on which the same id may be somebody else.
  if (state === 'voided' && attempts === 0) return [];
  const undo = lastDone(approval, action)?.undo;
  return [
    ...(undo ? [button(undo)] : []),
    ...(state === 'voided' ? [button(action.askAgain)] : []),
  ];
}

/** The last step whose effect stands, once it has ended. */
function lastDone({ state, step }: Approval, action: BoundAction) {
  if (state === 'succeeded') return stepOf(action, step);
  return state === 'failed' || state === 'voided' ? stepsBefore(action, step).at(-1) : undefined;
}

function plainSummary(action: BoundAction): string {
  const text = stripMarkup(action.summary);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}
