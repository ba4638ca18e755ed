import { button, confirmation } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import { type Approval, mayHaveSent } from '../approval.ts';
import { type BoundAction, stepOf, stepsBefore } from '../bound-action.ts';
import { approveActionId, cancelScheduledActionId, denyActionId, withdrawActionId } from './ids.ts';

type Button = ReturnType<typeof button>;

/** The buttons of a pending request. */
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

/** The buttons of a decided request: cancel, undo, or request again. */
export function decidedButtons(approval: Approval, action: BoundAction): Button[] {
  const { state, attempts } = approval;
  if (state === 'scheduled' && action.cancellation) {
    const value = encodeValue({ approvalId: approval.id });
    const { button: text } = action.cancellation.texts;
    return [button({ text, actionId: cancelScheduledActionId, value, style: 'primary' })];
  }
  // Voided before its first attempt by a new connection, on which the same id may be another subject.
  if (state === 'voided' && attempts === 0) return [];
  const completed = lastCompletedStep(approval, action);
  // What Belay did not do is not offered for undoing.
  const undo = mayHaveSent(approval, completed?.name) ? completed?.undo : undefined;
  return [
    ...(undo ? [button(undo)] : []),
    ...(state === 'voided' ? [button(action.requestAgain)] : []),
  ];
}

/** The last step that is still in effect, once the request has ended. */
function lastCompletedStep({ state, step }: Approval, action: BoundAction) {
  if (state === 'succeeded') return stepOf(action, step);
  return state === 'failed' || state === 'voided' ? stepsBefore(action, step).at(-1) : undefined;
}

function plainSummary(action: BoundAction): string {
  return `${capitalize(stripMarkup(action.summary))}?`;
}
