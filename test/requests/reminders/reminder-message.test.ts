import { expect, test } from 'vitest';
import { approvableActions } from '../../../src/features/actions/index.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { reminderMessage } from '../../../src/requests/reminders/views/reminder-message.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { sampleApproval } from '../sample-approval.ts';

const bind = createActionBinder(approvableActions);

test('people who have approved, and the requester, are not mentioned again', () => {
  const approval = sampleApproval({
    requester: 'U1',
    requiredApprovals: 2,
    rule: { ...defaultRule, approvals: [{ from: ['U1', 'U2', 'U3', 'S1'], count: 2 }] },
    votes: [{ by: 'U2', mailboxHash: 'hash', at: new Date(), meets: [0] }],
  });
  const { text } = reminderMessage(approval, bind(approval), { approvers: [], link: 'link' });
  expect(text).toContain('Needs approval from 1 of <@U3> or <!subteam^S1> · Expires');
});
