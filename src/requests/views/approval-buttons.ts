import { type Button, button, confirmation } from '../../slack/ui/blocks.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { showExactly } from '../../slack/ui/visible.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Action, RequestButton, UndoButton } from '../action.ts';
import { abortableTask, stepOf, stepsBefore } from '../action-steps.ts';
import { type Approval, isAboutSeveral, mayHaveSent, type Run } from '../approval.ts';
import { severalPeople } from './format-approvals.ts';
import type { StateOptions } from './format-state.ts';
import { messageDecisionIds, requestBodyActionId } from './ids.ts';

/** Where the buttons of a request are: in a message about it, or in a list of several. */
export type ButtonPlace = {
  ids: Record<keyof typeof messageDecisionIds, string>;
  value: Record<string, unknown>;
  /** Of several requests, none has the primary button. */
  isPrimary: boolean;
};

export function messagePlace({ id }: Pick<Approval, 'id'>): ButtonPlace {
  return { ids: messageDecisionIds, value: { approvalId: id }, isPrimary: true };
}

/** The buttons of approvers, on a pending request: approve, approve with a comment, deny. */
export function approverButtons(
  approval: Approval,
  action: Action,
  { ids, value, isPrimary }: ButtonPlace = messagePlace(approval),
): [Button, Button, Button] {
  const what = stripMarkup(action.summary);
  const isDanger = action.style === 'danger';
  return [
    button({
      text: 'Approve',
      actionId: ids.approve,
      value: encodeValue(value),
      ...((isPrimary || isDanger) && { style: action.style }),
      accessibilityLabel: `Approve: ${what}`,
      confirm: confirmation({
        title: 'Approve this request?',
        question: `${capitalize(what)}? ${consequenceOf(approval, action)}`.trim(),
        verb: 'Approve',
        isDanger,
      }),
    }),
    button({
      text: 'Approve with comment…',
      actionId: ids.approveWithComment,
      value: encodeValue(value),
      accessibilityLabel: `Approve with comment: ${what}`,
    }),
    button({
      text: 'Deny',
      actionId: ids.deny,
      value: encodeValue(value),
      accessibilityLabel: `Deny: ${what}`,
    }),
  ];
}

/** What an approval leads to: plain text; empty if the request says it all. */
function consequenceOf(approval: Approval, action: Action): string {
  return [
    action.consequence?.(),
    action.warning && stripMarkup(action.warning),
    approval.requiredApprovals > 1 && severalPeople(approval),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The button of the requester, on a pending request. */
export function withdrawButton(
  approval: Approval,
  action: Action,
  { ids, value }: ButtonPlace = messagePlace(approval),
): Button {
  return button({
    text: 'Withdraw',
    actionId: ids.withdraw,
    value: encodeValue(value),
    accessibilityLabel: `Withdraw: ${stripMarkup(action.summary)}`,
    confirm: confirmation({
      title: 'Withdraw your request?',
      question: 'Nothing will be changed.',
      verb: 'Withdraw',
    }),
  });
}

/** The button that cancels a scheduled step, or aborts the task of one, where that is possible. */
export function cancelButtons(
  approval: Approval,
  action: Action,
  { ids, value, isPrimary }: ButtonPlace = messagePlace(approval),
): Button[] {
  if (abortableTask(approval, action)) return [abortButton(action, { ids, value })];
  if (approval.state !== 'scheduled' || !action.cancellation) return [];
  const { button: text, effect } = action.cancellation.texts;
  return [
    button({
      text,
      actionId: ids.cancel,
      value: encodeValue(value),
      ...(isPrimary && { style: 'primary' as const }),
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

function abortButton(action: Action, { ids, value }: Pick<ButtonPlace, 'ids' | 'value'>): Button {
  return button({
    text: 'Abort',
    actionId: ids.abort,
    value: encodeValue(value),
    accessibilityLabel: `Abort: ${showExactly(action.audited.subject)}`,
    confirm: confirmation({
      title: 'Abort this change?',
      question: 'Belay asks the service to stop. What was already made may remain.',
      verb: 'Abort',
      isDanger: true,
      dismiss: 'Go back',
    }),
  });
}

/** The buttons of a decided request: cancel, undo, or request again. */
export function decidedButtons(
  approval: Approval,
  action: Action,
  { isUndone = false }: StateOptions = {},
): Button[] {
  const { state } = approval;
  const cancel = cancelButtons(approval, action);
  if (cancel.length > 0) return cancel;
  if (isOfReplacedConnection(approval)) return [];
  const undo = isUndone ? undefined : undoButton(approval, action);
  return [
    ...(undo ? [subjectButton(undo, action)] : []),
    ...(state === 'voided' ? [subjectButton(action.requestAgain, action)] : []),
  ];
}

/** The button that shows the subject as it is now, unless the request removed it. */
export function viewButtons(approval: Approval, action: Action): Button[] {
  const { view } = action;
  if (!view || isOfReplacedConnection(approval)) return [];
  const [run] = approval.runs;
  const isRemoved = run.state === 'completed' && stepOf(action, run.step).removesSubject;
  return isRemoved ? [] : [subjectButton(view, action)];
}

/** The button that shows exactly what is sent, for actions that send their own body. */
export function bodyButtons({ id }: Approval, action: Action): Button[] {
  if (action.requestBody === undefined) return [];
  const value = encodeValue({ approvalId: id });
  return [
    subjectButton({ text: 'View request body', actionId: requestBodyActionId, value }, action),
  ];
}

/** Requests the opposite of what the request did; undefined if Belay did nothing that can be undone. */
export function undoButton(approval: Approval, action: Action): UndoButton | undefined {
  if (isAboutSeveral(approval)) return undefined;
  const [run] = approval.runs;
  const completed = lastCompletedStep(run, action);
  const isWaiting = run.wakeAt !== undefined || run.outcome === undefined;
  if (completed?.followUpMs !== undefined && isWaiting) return undefined;
  // What Belay did not do is not offered for undoing.
  return completed && mayHaveSent(run, completed.name) ? completed.undo : undefined;
}

/** The last step that is still in effect, once the run has ended. */
function lastCompletedStep({ state, step }: Run, action: Action) {
  if (state === 'completed') return stepOf(action, step);
  return state === 'failed' || state === 'voided' ? stepsBefore(action, step).at(-1) : undefined;
}

/** Voided before its first attempt by a new connection, on which the same id may be another subject. */
function isOfReplacedConnection({ runs }: Approval): boolean {
  return runs.every(({ state, attempts }) => state === 'voided' && attempts === 0);
}

function subjectButton({ text, actionId, value }: RequestButton, action: Action): Button {
  const given = { text, actionId, value };
  const subject = showExactly(action.audited.subject);
  return button({ ...given, accessibilityLabel: `${text.replace('…', '')}: ${subject}` });
}
