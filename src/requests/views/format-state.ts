import { cutMrkdwn, mention, moment, quote } from '../../slack/ui/mrkdwn.ts';
import type { Action } from '../action.ts';
import { isCancelStep, stepOf, stepsBefore } from '../action-steps.ts';
import { type Approval, isFollowed, mayHaveSent } from '../approval.ts';
import { formatReview, formatReviewRemark } from '../break-glass/views/format-review.ts';
import type { ShownStandIn } from '../people/read-stand-ins.ts';
import type { Shortfall } from '../rules/find-shortfall.ts';
import { formatMissing, formatProgress, listVoters } from './format-approvals.ts';
import { formatResults, hasResults } from './subject-results.ts';

export type StateOptions = {
  /** A later change reversed what the request did. */
  isUndone?: boolean | undefined;
  /** The parts of a pending request's rule that can't be met. */
  shortfall?: Shortfall[] | undefined;
  /** Who stands in for approvers of a pending request. */
  standIns?: ShownStandIn[] | undefined;
};

/** The outcome and, after it, the decision: one line of mrkdwn. */
export function formatState(
  approval: Approval,
  action: Action,
  options: StateOptions = {},
): string {
  return [formatOutcome(approval, action, options), formatDecision(approval, action)]
    .filter(Boolean)
    .join(' ');
}

/**
 * Who decided and, if it was canceled later, who did that. Before or without a decision, who approved
 * so far; empty if nobody has.
 */
export function formatDecision(approval: Approval, action: Action): string {
  const { state, votes, decidedBy, decidedAt, finishedAt, runs } = approval;
  const canceledBy = runs.find((run) => run.canceledBy)?.canceledBy;
  const progress = formatProgress(approval);
  const run = formatReview(approval);
  if (state === 'pending') return progress && `✅ ${progress}`;
  if (!decidedAt || (!decidedBy && !run)) return progress;
  if (decidedBy && (state === 'denied' || state === 'withdrawn')) {
    const verb = state === 'denied' ? 'Denied' : 'Withdrawn';
    return join(`${verb} by ${mention(decidedBy)} ${moment(decidedAt)}.`, progress);
  }
  const decision =
    run ||
    `Approved by ${listVoters(votes.filter(({ meets }) => meets.length > 0))} ${moment(decidedAt)}.`;
  if (!canceledBy) return decision;
  const [{ step }] = runs;
  if (stepOf(action, step).canAbort) {
    return `${decision} Abort requested by ${mention(canceledBy)}.`;
  }
  if (!action.cancellation) return decision;
  const canceledAt = state === 'canceled' && finishedAt ? ` ${moment(finishedAt)}` : '';
  return `${decision} Canceled by ${mention(canceledBy)}${canceledAt}.`;
}

/** What approvers wrote, and why the request was denied, quoted; none that was erased. */
export function formatRemarks(approval: Approval): string[] {
  const { state, decidedBy, decisionReason, votes } = approval;
  if (approval.breakGlass) return formatReviewRemark(approval);
  const comments = votes.flatMap(({ by, comment }) =>
    comment === undefined ? [] : [`*Comment* from ${mention(by)}\n${quote(comment)}`],
  );
  if (state !== 'denied' || !decidedBy || decisionReason === undefined) return comments;
  return [...comments, `*Reason* from ${mention(decidedBy)}\n${quote(decisionReason)}`];
}

/** The text with those words below it: within a sentence of Belay, they could continue it. */
export function withRemarks(text: string, approval: Approval): string {
  return [text, ...formatRemarks(approval)].join('\n');
}

/** What happened or will happen, with the effects of completed steps. */
export function formatOutcome(
  approval: Approval,
  action: Action,
  { isUndone = false }: StateOptions = {},
): string {
  if (hasResults(approval)) return formatResults(approval, action);
  const [run] = approval.runs;
  const step = stepOf(action, run.step);
  const before = stepsBefore(action, run.step);
  const isFirst = before.length === 0;
  // Once the request no longer waits, somebody may have changed what an earlier step left.
  const effects = before.map(({ done, was }) => (approval.state === 'scheduled' ? done : was));
  // Of several that didn't run, one whose text wasn't erased. Written by Belay: what it quotes from the service is escaped already.
  const { outcome: words = '' } = approval.runs.find((one) => one.outcome) ?? run;
  const outcome = cutMrkdwn(words, 500);
  const undone = isUndone ? ['This change was undone later.'] : [];
  switch (approval.state) {
    case 'pending':
      return `Waiting for ${formatMissing(approval)}.`;
    case 'approved':
    case 'running':
      // Only a step that could not be sent has an outcome at this point.
      if (approval.state === 'approved' && outcome && run.wakeAt) {
        return join(outcome, `Belay tries again ${moment(run.wakeAt)}.`, ...effects);
      }
      if (isFollowed(run)) return join('The service is making the change.', outcome, ...effects);
      return join(
        run.canceledBy ? 'Belay is canceling the change.' : 'Belay is making the change.',
        ...effects,
      );
    case 'scheduled': {
      const when = run.wakeAt ? moment(run.wakeAt) : 'soon';
      const plan = `${step.plan ?? 'The next step runs'} ${when}`;
      const condition = action.cancellation ? ` ${action.cancellation.texts.condition}` : '';
      return join(...effects, `${plan}${condition}.`);
    }
    case 'completed':
      return join(isUndone ? step.was : step.done, outcome, ...undone);
    case 'canceled':
      return join(step.done, outcome);
    case 'failed': {
      const failed = isCancelStep(action, run.step)
        ? action.cancellation?.texts.failed
        : `Couldn't ${action.summary}.`;
      return join(failed, outcome, ...effects, ...undone);
    }
    case 'outcome_unknown':
      return join(formatUnknown(approval, action), outcome, ...effects);
    case 'denied':
      // A denial requires a reason, so a missing one was erased.
      return join(
        'Nothing was changed.',
        approval.decisionReason === undefined && 'The reason was erased.',
      );
    case 'withdrawn':
      return 'Nothing was changed.';
    case 'expired':
      return approval.votes.length > 0
        ? `Not enough approvals arrived before ${moment(approval.expiresAt)}. Nothing was changed.`
        : `No decision before ${moment(approval.expiresAt)}. Nothing was changed.`;
    case 'voided': {
      // An earlier attempt may have made a change that somebody else has undone since.
      const isUntouched = isFirst && !mayHaveSent(run, step.name, run.attempts - 1);
      const rest = isUntouched ? 'Nothing was changed.' : 'Belay makes no further change.';
      return join(outcome || 'The reason was erased.', ...effects, ...undone, rest);
    }
  }
}

function formatUnknown(approval: Approval, action: Action): string {
  const [run] = approval.runs;
  const canceled = isCancelStep(action, run.step) && action.cancellation?.texts;
  const isFirst = stepsBefore(action, run.step).length === 0;
  if (isRetrying(approval, action)) {
    const step = isFirst ? 'The change' : 'The next step';
    return `${canceled ? canceled.failed : `${step} hasn't been sent yet.`} Belay will try again.`;
  }
  if (canceled) {
    return `${canceled.unknown} ${run.wakeAt ? 'Belay keeps checking.' : "Check the service's portal."}`;
  }
  const what = isFirst ? 'whether the change was made' : 'whether the next step succeeded';
  return run.wakeAt
    ? `Belay doesn't know yet ${what}, and keeps checking.`
    : `Belay doesn't know ${what}. Check the service's portal.`;
}

/** Whether the change was certainly not sent and will be tried again: nothing is unknown then. */
export function isRetrying(approval: Approval, action: Action): boolean {
  const [run] = approval.runs;
  if (approval.state !== 'outcome_unknown' || !run.wakeAt) return false;
  return !mayHaveSent(run, stepOf(action, run.step).name);
}

function join(...sentences: (string | false | undefined)[]): string {
  return sentences.filter(Boolean).join(' ');
}
