import { cutMrkdwn, mention, moment, quote } from '../../../slack/ui/mrkdwn.ts';
import { type Approval, mayHaveSent } from '../approval.ts';
import { type BoundAction, stepOf, stepsBefore } from '../bound-action.ts';

/** The decision, completed steps and outcome, for the request and for its requester's copy. */
export function formatState(approval: Approval, action: BoundAction): string {
  return [
    formatDecision(approval, action),
    formatEarlierSteps(approval, action),
    formatOutcome(approval, action),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Why a request was denied, quoted; empty for any other, and where the reason was erased. */
export function formatDenial({ state, decidedBy, decisionReason }: Approval): string {
  if (state !== 'denied' || !decidedBy || decisionReason === undefined) return '';
  return `*Reason* from ${mention(decidedBy)}\n${quote(decisionReason)}`;
}

/** The text with that reason below it: within a sentence of Belay, people's words could continue it. */
export function withDenial(text: string, approval: Approval): string {
  return [text, formatDenial(approval)].filter(Boolean).join('\n');
}

function formatDecision(
  { state, decidedBy, decidedAt, canceledBy }: Approval,
  { cancellation }: BoundAction,
): string {
  if (!decidedBy || !decidedAt) return '';
  const verb = state === 'denied' ? 'Denied' : state === 'withdrawn' ? 'Withdrawn' : 'Approved';
  const decision = `${verb} by ${mention(decidedBy)} ${moment(decidedAt)}.`;
  return canceledBy && cancellation
    ? `${decision} ${cancellation.texts.canceledBy} ${mention(canceledBy)}.`
    : decision;
}

/** The effects of earlier steps, so that the text does not imply that nothing was changed. */
function formatEarlierSteps({ state, step }: Approval, action: BoundAction): string {
  if (state === 'succeeded' || state === 'kept') return '';
  // Once the request no longer waits, somebody may have changed what an earlier step left.
  return stepsBefore(action, step)
    .map(({ done, was }) => (state === 'scheduled' ? done : was))
    .join(' ');
}

function formatOutcome(approval: Approval, action: BoundAction): string {
  const step = stepOf(action, approval.step);
  const isFirst = stepsBefore(action, approval.step).length === 0;
  const it = isFirst ? 'it' : 'the rest';
  // Written by Belay: what it quotes from the service is escaped already.
  const outcome = cutMrkdwn(approval.outcome ?? '', 500);
  switch (approval.state) {
    case 'pending':
      return 'Waiting for a decision.';
    case 'approved':
    case 'executing':
      return approval.canceledBy ? 'Taking it back…' : 'Carrying it out…';
    case 'scheduled': {
      const when = approval.wakeAt ? moment(approval.wakeAt) : 'soon';
      const plan = `${step.plan ?? 'The rest follows'} ${when}`;
      return action.cancellation ? `${plan}, ${action.cancellation.texts.condition}.` : `${plan}.`;
    }
    case 'succeeded':
      return `Done: ${step.done} ${outcome}`.trim();
    case 'kept':
      return `${step.done} ${outcome}`.trim();
    case 'failed': {
      const what = isFirst ? 'It was not carried out.' : 'The rest was not carried out.';
      return `${approval.canceledBy ? 'Taking it back did not work.' : what} ${outcome}`;
    }
    case 'outcome_unknown': {
      if (approval.wakeAt && !mayHaveSent(approval, step.name)) {
        const what = isFirst ? 'The change' : approval.canceledBy ? 'The cancellation' : 'The rest';
        return `${what} was not sent yet. Belay will try again. ${outcome}`;
      }
      const what = approval.canceledBy ? 'it was taken back' : `${it} was carried out`;
      return approval.wakeAt
        ? `It is not yet known whether ${what}; Belay keeps looking. ${outcome}`
        : `It is not known whether ${what}. Please look in the portal. ${outcome}`;
    }
    case 'denied':
      // A denial requires a reason, so a missing one was erased.
      return approval.decisionReason === undefined
        ? 'The reason was erased. Nothing was changed.'
        : 'Nothing was changed.';
    case 'withdrawn':
      return 'Nothing was changed.';
    case 'expired':
      return `Expired ${moment(approval.expiresAt)} without a decision. Nothing was changed.`;
    case 'voided': {
      // An earlier attempt may have made a change that somebody else has undone since.
      const isUntouched = isFirst && !mayHaveSent(approval, step.name, approval.attempts - 1);
      const rest = isUntouched ? 'Nothing was changed.' : 'It goes no further.';
      return `${outcome ? `No longer valid: ${outcome}` : 'No longer valid; the reason was erased.'} ${rest}`;
    }
  }
}
