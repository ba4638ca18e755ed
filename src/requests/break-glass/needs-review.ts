import type { Approval } from '../approval.ts';

type Reviewed = Pick<Approval, 'breakGlass' | 'decidedAt' | 'state'>;

/** Whether it was run without approval and nobody has reviewed it, regardless of the outcome. */
export function needsReview({ breakGlass, decidedAt }: Omit<Reviewed, 'state'>): boolean {
  return breakGlass !== undefined && breakGlass.review === undefined && decidedAt !== undefined;
}

/** Whether it can be reviewed now: a running change has no outcome yet. */
export function isReviewable(approval: Reviewed): boolean {
  return needsReview(approval) && !['approved', 'running'].includes(approval.state);
}

/** Whether people other than the requester must decide or review it. */
export function needsAction(approval: Reviewed): boolean {
  return approval.state === 'pending' || needsReview(approval);
}
