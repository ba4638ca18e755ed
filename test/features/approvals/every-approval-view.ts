import { addDays } from 'date-fns/addDays';
import type { Approval } from '../../../src/features/approvals/approval.ts';
import type { ApprovalState } from '../../../src/features/approvals/approval-state.ts';
import { createActionBinder } from '../../../src/features/approvals/bind-action.ts';
import {
  approvalMessage,
  followerMessage,
  requesterMessage,
} from '../../../src/features/approvals/views/approval-message.ts';
import { denyModal } from '../../../src/features/approvals/views/deny-modal.ts';
import { refusalMessage } from '../../../src/features/approvals/views/refusal-message.ts';
import {
  alreadyOpenMessage,
  requestedMessage,
} from '../../../src/features/approvals/views/requested-message.ts';
import { setupActions } from '../../../src/features/setup/index.ts';
import { userActions } from '../../../src/features/users/user-actions.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { sampleNow as at, channelId, people } from '../sample-place.ts';
import type { Samples } from '../samples.ts';
import { sampleApproval } from './sample-approval.ts';

const states: ApprovalState[] = [
  ...(['pending', 'approved', 'executing', 'scheduled', 'succeeded', 'kept', 'failed'] as const),
  ...(['outcome_unknown', 'denied', 'expired', 'withdrawn', 'voided'] as const),
];
const bind = createActionBinder({ ...userActions, ...setupActions });

/** Every builder of the approvals feature, as `everyView` lists them. */
export function everyApprovalView(samples: Samples): Record<string, unknown[]> {
  const stored = [
    ...Object.values(userActions).flatMap(({ name }) =>
      states.map((state) => approvalMadeOf(samples, name, state)),
    ),
    ...states.map((state) => ({
      ...approvalMadeOf(samples, 'setup.change', state),
      payload: { ...samples.change, decidedBy: 'approvers' },
      ...{ snapshot: { revision: 1 }, preview: [], checks: [], attempts: 1 },
    })),
  ];
  const approvals = stored.map((approval) => ({ approval, action: bind(approval) }));
  const requester = { slackUserId: people.ben, isAdmin: false, membership: 'member' } as const;
  return {
    approvalMessage: approvals.map(({ approval, action }) =>
      approvalMessage(approval, action, [people.ana, people.ben]),
    ),
    refusalMessage: approvals.map(({ approval, action }) =>
      refusalMessage({ result: 'too-late', approval }, () => action),
    ),
    requestedMessage: [
      requestedMessage({ result: 'no-audience' }, samples.users[0].fullName ?? ''),
      requestedMessage(
        { result: 'no-approver', reasons: Array(samples.copies).fill('A reason.') },
        samples.users[0].fullName ?? '',
      ),
      requestedMessage({ result: 'not-posted', channelId }, samples.users[0].fullName ?? ''),
    ],
    followerMessage: approvals.map(({ approval, action }) => followerMessage(approval, action)),
    alreadyOpenMessage: approvals.slice(0, 1).map(({ approval, action }) =>
      alreadyOpenMessage(approval, {
        requester: { ...requester, email: undefined },
        prepared: { action },
        reason: samples.reason,
      }),
    ),
    requesterMessage: approvals.map(({ approval, action }) => requesterMessage(approval, action)),
    denyModal: approvals.slice(0, 1).map(({ approval, action }) => denyModal(approval, action)),
  };
}

function approvalMadeOf(samples: Samples, action: string, state: ApprovalState): Approval {
  const { reason, problem } = samples;
  const [{ id, fullName = null, email = null }] = samples.users;
  const isDecided = !['pending', 'expired', 'voided'].includes(state);
  return sampleApproval({
    action,
    payload: { id, fullName, email, newFullName: samples.newFullName },
    snapshot: {
      ...{ id, email, fullName, isEnabled: true },
      ...{ isConfirmed: true, roles: null },
    },
    preview: [
      { label: 'State', value: 'enabled' },
      { label: 'Roles', value: samples.access.map(({ role }) => safe(role, 300)).join('; ') },
    ],
    checks: [
      {
        ...{ label: 'not the last administrator', result: 'not_checkable' as const },
        ...{ words: 'whether this is the last administrator', detail: safe(problem, 300) },
      },
      { label: 'not about the person who asks', result: 'passed' },
    ],
    ...{ reason, requester: people.ana, channelId, requestedAt: at, expiresAt: addDays(at, 1) },
    state,
    canceledBy: state === 'kept' ? people.cleo : undefined,
    decidedBy: isDecided ? people.ben : undefined,
    decisionReason: samples.denial,
    decidedAt: isDecided ? at : undefined,
    wakeAt: at,
    // Belay's own text, in which quotes of the service are escaped already.
    outcome: ['succeeded', 'kept', 'pending'].includes(state) ? undefined : safe(problem, 500),
    finishedAt: at,
  });
}
