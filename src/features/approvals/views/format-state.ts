import { cutMrkdwn, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import type { Approval } from '../approval.ts';
import { type BoundAction, stepOf, stepsBefore } from '../bind-action.ts';

/** Who did what when, and what came of it: the last line of a request and of what its requester is told. */
export function formatState(approval: Approval, action: BoundAction): string {
  return [who(approval), soFar(approval, action), whatNow(approval, action)]
    .filter(Boolean)
    .join(' ');
}

function who({ state, decidedBy, decidedAt, canceledBy }: Approval): string {
  if (!decidedBy || !decidedAt) return '';
  const verb = state === 'denied' ? 'Denied' : state === 'withdrawn' ? 'Withdrawn' : 'Approved';
  const decision = `${verb} by ${mention(decidedBy)} ${moment(decidedAt)}.`;
  return canceledBy ? `${decision} Kept by ${mention(canceledBy)}.` : decision;
}

/** What earlier steps have left: nobody is told that nothing was changed when it was. */
function soFar({ state, step }: Approval, action: BoundAction): string {
  if (state === 'succeeded' || state === 'kept') return '';
  // Once it waits no longer, somebody may have changed what an earlier step left.
  return stepsBefore(action, step)
    .map(({ done, was }) => (state === 'scheduled' ? done : was))
    .join(' ');
}

function whatNow(approval: Approval, action: BoundAction): string {
  const step = stepOf(action, approval.step);
  const isFirst = stepsBefore(action, approval.step).length === 0;
  const it = isFirst ? 'it' : 'the rest';
  // Words of Belay's own: what they quote from the service is escaped already.
  const outcome = cutMrkdwn(approval.outcome ?? '', 500);
  switch (approval.state) {
    case 'pending':
      return 'Waiting for a decision.';
    case 'approved':
    case 'executing':
      return approval.canceledBy ? 'Taking it back…' : 'Carrying it out…';
    case 'scheduled': {
      const when = approval.wakeAt ? moment(approval.wakeAt) : 'soon';
      return `${step.plan ?? 'The rest follows'} ${when}, unless someone keeps them.`;
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
      const what = approval.canceledBy ? 'it was taken back' : `${it} was carried out`;
      return approval.wakeAt
        ? `It is not yet known whether ${what}; Belay keeps looking. ${outcome}`
        : `It is not known whether ${what}. Please look in the portal. ${outcome}`;
    }
    case 'denied':
      return `${denialReason(approval)} Nothing was changed.`;
    case 'withdrawn':
      return 'Nothing was changed.';
    case 'expired':
      return `Expired ${moment(approval.expiresAt)} without a decision. Nothing was changed.`;
    case 'voided': {
      // A first attempt may have changed what somebody else has changed since.
      const isUntouched = isFirst && approval.attempts <= 1;
      const rest = isUntouched ? 'Nothing was changed.' : 'It goes no further.';
      return `${outcome ? `No longer valid: ${outcome}` : 'No longer valid; the reason was erased.'} ${rest}`;
    }
  }
}

/** Nobody denies without one, so that one which is missing was erased. */
function denialReason({ decisionReason }: Approval): string {
  return decisionReason === undefined
    ? 'The reason was erased.'
    : `Reason: ${safe(decisionReason, 500)}.`;
}
