import { approvableActions } from '../../../src/features/actions/index.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { homeReviewBlocks } from '../../../src/requests/break-glass/views/review-blocks.ts';
import { reviewRefusalMessage } from '../../../src/requests/break-glass/views/review-refusal.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { reminderMessage } from '../../../src/requests/reminders/views/reminder-message.ts';
import {
  approvalMessage,
  approverMessage,
  requesterMessage,
} from '../../../src/requests/views/approval-message.ts';
import { reviewModal } from '../../../src/requests/views/decision-forms.ts';
import { requestListMessage } from '../../../src/requests/views/request-list-message.ts';
import {
  requestNotSentMessage,
  requestSentMessage,
} from '../../../src/requests/views/requested-message.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { sampleNow as at, people } from '../../features/sample-place.ts';
import type { Samples } from '../../features/samples.ts';
import { buildApproval } from '../build-approval.ts';

const bind = createActionBinder(approvableActions);
const link = '<https://harbor-ops.slack.com/archives/C1/p1|View run>';
const states = [
  ...(['approved', 'running', 'scheduled', 'completed', 'canceled', 'failed'] as const),
  ...(['outcome_unknown', 'voided'] as const),
];

/** Every view of runs without approval, and of reminders. */
export function everyBreakGlassView(samples: Samples): Record<string, unknown[]> {
  const approvers = [people.ana, people.ben];
  const made = (action: string, state: Approval['state'], isReviewed: boolean): Approval => ({
    ...buildApproval(samples, action, state),
    decidedBy: undefined,
    decidedAt: at,
    connectionName: 'east',
    rule: { ...defaultRule, breakGlass: [people.ana] },
    breakGlass: {
      mailboxHash: 'hash',
      review: isReviewed ? { by: people.ben, at, comment: samples.reason } : undefined,
    },
  });
  const runs = ['users.disable', 'users.delete'].flatMap((action) =>
    states.flatMap((state) =>
      [true, false].map((isReviewed) => {
        const approval = made(action, state, isReviewed);
        return { approval, action: bind(approval), isMine: !isReviewed, link };
      }),
    ),
  );
  const unreviewed = runs.filter(({ approval }) => !approval.breakGlass?.review);
  const page = { start: 0, filter: 'all' as const };
  const pending = buildApproval(samples, 'users.delete', 'pending');
  const ruled = {
    ...pending,
    rule: { ...defaultRule, approvals: [{ from: ['S0SECURITY', people.ben], count: 2 }] },
    requiredApprovals: 2,
  };
  const why = `This request is about <@${people.ben}>, so they can't approve or deny it.`;
  const [first] = runs;
  if (!first) throw new Error('there is no run');
  const { approval } = first;
  return {
    approvalMessage: runs.map((run) => approvalMessage(run.approval, run.action, approvers)),
    approverMessage: runs.map((run) =>
      approverMessage(run.approval, run.action, { approvers, link, isDecidable: true }),
    ),
    requesterMessage: runs.map((run) =>
      requesterMessage(run.approval, run.action, { approvers, link }),
    ),
    requestSentMessage: [requestSentMessage(approval, first.action)],
    requestNotSentMessage: [
      requestNotSentMessage(
        { result: 'not_started', why: 'The limit of users per hour was reached.' },
        samples.reason,
      ),
      requestNotSentMessage(
        {
          result: 'break_glass_not_allowed',
          why: `The rule for this action doesn't let <@${people.ana}> run it without approval.`,
        },
        samples.reason,
      ),
    ],
    requestListMessage: [
      requestListMessage(
        [],
        { ...page, total: 0, waiting: 0, seesAll: true },
        { reviews: unreviewed },
      ),
    ],
    homeReviewBlocks: [
      { type: 'home', blocks: homeReviewBlocks(unreviewed) },
      ...unreviewed.map((run) => ({ type: 'home', blocks: homeReviewBlocks([run]) })),
    ],
    reviewModal: unreviewed.map((run) => reviewModal(run.approval, run.action)),
    reviewRefusalMessage: [
      ...(['break_glass_not_allowed', 'not_ended', 'already_reviewed', 'own_request'] as const).map(
        (result) => reviewRefusalMessage({ result, approval }),
      ),
      reviewRefusalMessage({ result: 'request_not_found' }),
      reviewRefusalMessage({ result: 'not_approver', approval, approvers }),
      reviewRefusalMessage({ result: 'not_approver', approval, approvers: [] }),
      reviewRefusalMessage({ result: 'approver_is_subject', approval, why }),
    ],
    reminderMessage: [pending, ruled].map((one) =>
      reminderMessage(one, bind(one), {
        approvers,
        link,
        standIns: [{ standIn: people.dee, approver: people.cleo }],
      }),
    ),
  };
}
