import {
  actions,
  type Button,
  button,
  context,
  header,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { code, mention, moment, quote, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { Action } from '../../action.ts';
import { type Approval, isReviewable } from '../../approval.ts';
import { formatOutcome } from '../../views/format-state.ts';
import { formatConnection, formatTitle } from '../../views/format-title.ts';
import { type RequestPage, reviewActionId, reviewInListActionId } from '../../views/ids.ts';

/** A run without approval that nobody has reviewed. */
export type UnreviewedRun = {
  approval: Approval;
  action: Action;
  /** Whether the reader may review it. */
  isMine: boolean;
  /** To its message: mrkdwn. */
  link: string;
};

export const maxListedReviews = 5;
const maxOnHome = 3;
const maxReason = 300;

/** The button that opens the review, once the run has ended or waits for its next step. */
export function reviewButtons(approval: Approval, action: Action): Button[] {
  return isReviewable(approval) ? [reviewButton(approval, action)] : [];
}

function reviewButton({ id }: Approval, { summary }: Action, page?: RequestPage): Button {
  return button({
    text: 'Mark as reviewed…',
    actionId: page ? reviewInListActionId : reviewActionId,
    value: encodeValue({ approvalId: id, ...(page && { page }) }),
    accessibilityLabel: `Mark as reviewed: ${stripMarkup(summary)}`,
  });
}

/** "2 break-glass runs need review" */
export function formatReviewCount(count: number): string {
  return `${plural(count, 'break-glass run')} ${count === 1 ? 'needs' : 'need'} review`;
}

/** One run in a list: mrkdwn. */
function formatRun({ approval, action, link }: UnreviewedRun): string {
  const { requester, decidedAt } = approval;
  return [
    capitalize(action.summary),
    formatTitle(approval, action),
    `run by ${mention(requester)}${decidedAt ? ` ${moment(decidedAt)}` : ''}`,
    ...formatConnection(approval),
    link,
  ].join(' · ');
}

function runBlocks(run: UnreviewedRun, page?: RequestPage): KnownBlock[] {
  const { approval, action, isMine } = run;
  const lines = [
    formatRun(run),
    formatOutcome(approval, action),
    quote(approval.reason, maxReason),
  ];
  const canReview = isMine && isReviewable(approval);
  return [
    section(lines.join('\n')),
    ...(canReview ? [actions([reviewButton(approval, action, page)])] : []),
  ];
}

/** Above the open requests of a list. */
export function listedReviewBlocks(runs: UnreviewedRun[], page: RequestPage): KnownBlock[] {
  if (runs.length === 0) return [];
  const left = runs.length - maxListedReviews;
  return [
    section(`*⚠ ${formatReviewCount(runs.length)}*`),
    ...runs.slice(0, maxListedReviews).flatMap((run) => runBlocks(run, page)),
    ...(left > 0 ? [context(`${left} more. Review these first.`)] : []),
  ];
}

/** First on the Home tab of those who can review. */
export function homeReviewBlocks(runs: UnreviewedRun[]): KnownBlock[] {
  if (runs.length === 0) return [];
  const left = runs.length - maxOnHome;
  return [
    header(`Needs review (${runs.length})`),
    ...runs.slice(0, maxOnHome).flatMap((run) => runBlocks(run)),
    ...(left > 0 ? [context(`${left} more · ${code('/belay requests')}`)] : []),
  ];
}
