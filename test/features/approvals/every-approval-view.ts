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
import { sampleChange } from '../setup/sample-change.ts';
import { sampleApproval } from './sample-approval.ts';

const states: ApprovalState[] = [
  ...(['pending', 'approved', 'executing', 'scheduled', 'succeeded', 'kept', 'failed'] as const),
  ...(['outcome_unknown', 'denied', 'expired', 'withdrawn', 'voided'] as const),
];
const at = new Date('2026-11-21T12:00:00Z');
const bind = createActionBinder({ ...userActions, ...setupActions });

/** Every builder of the approvals feature, as `everyView` lists them. */
export function everyApprovalView(text: string): Record<string, unknown[]> {
  const stored = [
    ...Object.values(userActions).flatMap(({ name }) =>
      states.map((state) => approvalMadeOf(text, name, state)),
    ),
    ...states.map((state) => ({
      ...approvalMadeOf(text, 'setup.change', state),
      payload: { ...sampleChange(text), decidedBy: 'approvers' },
      ...{ snapshot: { revision: 1 }, preview: [], checks: [], attempts: 1 },
    })),
  ];
  const approvals = stored.map((approval) => ({ approval, action: bind(approval) }));
  const requester = { slackUserId: 'U2', isAdmin: false, membership: 'member' } as const;
  return {
    approvalMessage: approvals.map(({ approval, action }) =>
      approvalMessage(approval, action, ['U1', 'U2']),
    ),
    refusalMessage: approvals.map(({ approval, action }) =>
      refusalMessage({ result: 'too-late', approval }, () => action),
    ),
    requestedMessage: [
      requestedMessage({ result: 'no-audience' }, text),
      requestedMessage({ result: 'no-approver', reasons: Array(20).fill('A reason.') }, text),
      requestedMessage({ result: 'not-posted', channelId: 'C1' }, text),
    ],
    followerMessage: approvals.map(({ approval, action }) => followerMessage(approval, action)),
    alreadyOpenMessage: approvals.slice(0, 1).map(({ approval, action }) =>
      alreadyOpenMessage(approval, {
        requester: { ...requester, email: undefined },
        prepared: { action },
        reason: text,
      }),
    ),
    requesterMessage: approvals.map(({ approval, action }) => requesterMessage(approval, action)),
    denyModal: approvals.slice(0, 1).map(({ approval, action }) => denyModal(approval, action)),
  };
}

function approvalMadeOf(text: string, action: string, state: ApprovalState): Approval {
  const isDecided = !['pending', 'expired', 'voided'].includes(state);
  return sampleApproval({
    action,
    payload: { id: '8', fullName: text, email: text, newFullName: text },
    snapshot: {
      ...{ id: '8', email: text, fullName: text, isEnabled: true },
      ...{ isConfirmed: true, roles: null },
    },
    preview: Array.from({ length: 5 }, () => ({ label: 'State', value: safe(text, 300) })),
    checks: [
      {
        ...{ label: 'not the last administrator', result: 'not_checkable' as const },
        ...{ words: 'whether this is the last administrator', detail: safe(text, 300) },
      },
      { label: 'not about the person who asks', result: 'passed' },
    ],
    reason: text,
    state,
    canceledBy: state === 'kept' ? 'U3' : undefined,
    decidedBy: isDecided ? 'U2' : undefined,
    decisionReason: text,
    decidedAt: isDecided ? at : undefined,
    wakeAt: at,
    // Belay's own text, in which quotes of the service are escaped already.
    outcome: safe(text, 500),
    finishedAt: at,
  });
}
