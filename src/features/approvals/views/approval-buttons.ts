import { type Button, button, confirmation } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { showExactly } from '../../../slack/ui/visible.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { RequestButton, UndoButton } from '../approvable-action.ts';
import { type Approval, mayHaveSent } from '../approval.ts';
import { type BoundAction, stepOf, stepsBefore } from '../bound-action.ts';
import type { StateOptions } from './format-state.ts';
import {
  approveActionId,
  cancelScheduledActionId,
  denyActionId,
  requestBodyActionId,
  withdrawActionId,
} from './ids.ts';

/** The buttons of a pending request. */
export function decisionButtons(approval: Approval, action: BoundAction): Button[] {
  const value = encodeValue({ approvalId: approval.id });
  const what = stripMarkup(action.summary);
  const { requiredApprovals } = approval;
  const question = [
    `${capitalize(what)}?`,
    action.consequence,
    action.warning && stripMarkup(action.warning),
    requiredApprovals > 1 && `${requiredApprovals} different people have to approve.`,
  ]
    .filter(Boolean)
    .join(' ');
  return [
    button({
      text: 'Approve',
      actionId: approveActionId,
      value,
      style: action.style,
      accessibilityLabel: `Approve: ${what}`,
      confirm: confirmation({
        title: 'Approve this request?',
        question,
        verb: 'Approve',
        isDanger: action.style === 'danger',
      }),
    }),
    button({
      text: 'Deny',
      actionId: denyActionId,
      value,
      accessibilityLabel: `Deny: ${what}`,
    }),
    button({
      text: 'Withdraw',
      actionId: withdrawActionId,
      value,
      accessibilityLabel: `Withdraw: ${what}`,
      confirm: confirmation({
        title: 'Withdraw this request?',
        question: 'Only the requester can withdraw a request. Nothing will be changed.',
        verb: 'Withdraw',
      }),
    }),
  ];
}

/** The buttons of a decided request: cancel, undo, or request again. */
export function decidedButtons(
  approval: Approval,
  action: BoundAction,
  { isUndone = false }: StateOptions = {},
): Button[] {
  const { state } = approval;
  if (state === 'scheduled' && action.cancellation) {
    const { button: text, effect } = action.cancellation.texts;
    return [
      button({
        text,
        actionId: cancelScheduledActionId,
        value: encodeValue({ approvalId: approval.id }),
        style: 'primary',
        accessibilityLabel: `${text}: ${showExactly(action.audited.subject)}`,
        confirm: confirmation({
          title: `${text}?`,
          question: effect,
          verb: text,
          dismiss: 'Go back',
        }),
      }),
    ];
  }
  if (isOfReplacedConnection(approval)) return [];
  const undo = isUndone ? undefined : undoButton(approval, action);
  return [
    ...(undo ? [subjectButton(undo, action)] : []),
    ...(state === 'voided' ? [subjectButton(action.requestAgain, action)] : []),
  ];
}

/** The button that shows the subject as it is now, unless the request removed it. */
export function viewButtons(approval: Approval, action: BoundAction): Button[] {
  const { view } = action;
  if (!view || isOfReplacedConnection(approval)) return [];
  const isRemoved = approval.state === 'succeeded' && stepOf(action, approval.step).removesSubject;
  return isRemoved ? [] : [subjectButton(view, action)];
}

/** The button that shows exactly what is sent, for actions that send a body of their own. */
export function bodyButtons({ id }: Approval, action: BoundAction): Button[] {
  if (action.requestBody === undefined) return [];
  const value = encodeValue({ approvalId: id });
  return [
    subjectButton({ text: 'View request body', actionId: requestBodyActionId, value }, action),
  ];
}

/** Requests the opposite of what the request did; undefined if Belay did nothing that can be undone. */
export function undoButton(approval: Approval, action: BoundAction): UndoButton | undefined {
  const completed = lastCompletedStep(approval, action);
  // What Belay did not do is not offered for undoing.
  return mayHaveSent(approval, completed?.name) ? completed?.undo : undefined;
}

/** The last step that is still in effect, once the request has ended. */
function lastCompletedStep({ state, step }: Approval, action: BoundAction) {
  if (state === 'succeeded') return stepOf(action, step);
  return state === 'failed' || state === 'voided' ? stepsBefore(action, step).at(-1) : undefined;
}

/** Voided before its first attempt by a new connection, on which the same id may be another subject. */
function isOfReplacedConnection({ state, attempts }: Approval): boolean {
  return state === 'voided' && attempts === 0;
}

function subjectButton({ text, actionId, value }: RequestButton, action: BoundAction): Button {
  const given = { text, actionId, value };
  const subject = showExactly(action.audited.subject);
  return button({ ...given, accessibilityLabel: `${text.replace('…', '')}: ${subject}` });
}
