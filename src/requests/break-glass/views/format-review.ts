import { mention, moment, quote } from '../../../slack/ui/mrkdwn.ts';
import { type Approval, needsReview } from '../../approval.ts';
import { nameAnyOf } from '../../views/format-approvals.ts';

/** Who used break-glass, and for what: mrkdwn. */
export function formatBreakGlass(
  { requester }: Pick<Approval, 'requester'>,
  { summary }: { summary: string },
): string {
  return `${mention(requester)} used break-glass to ${summary} without approval`;
}

/**
 * Who has to review a run without approval: empty for other requests and once it was reviewed.
 * `approvers`: ids of the people and user groups to mention; none means the workspace's admins.
 */
export function formatUnreviewed(approval: Approval, approvers: string[]): string {
  if (!needsReview(approval)) return '';
  const others = nameAnyOf(approvers.filter((id) => id !== approval.requester));
  return `⚠ Needs review by ${others || 'an admin of this workspace'}.`;
}

/** When it was run and, once it was, reviewed; empty for other requests. */
export function formatReview({ breakGlass, decidedAt }: Approval): string {
  if (!breakGlass || !decidedAt) return '';
  const run = `Started without approval ${moment(decidedAt)}.`;
  const { review } = breakGlass;
  return review ? `${run} Reviewed by ${mention(review.by)} ${moment(review.at)}.` : run;
}

/** What the reviewer wrote, quoted. */
export function formatReviewRemark({ breakGlass }: Approval): string[] {
  const { by, comment } = breakGlass?.review ?? {};
  if (by === undefined || comment === undefined) return [];
  return [`*Review* from ${mention(by)}\n${quote(comment)}`];
}
