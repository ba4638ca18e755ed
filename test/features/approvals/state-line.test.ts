import { expect, test } from 'vitest';
import { RequestRejectedError } from '../../../src/dataprotection/errors.ts';
import type { BoundAction } from '../../../src/features/approvals/approvable-action.ts';
import type { Approval } from '../../../src/features/approvals/approval.ts';
import { stateLine } from '../../../src/features/approvals/state-line.ts';
import { describeFailure } from '../../../src/features/failure-reply.ts';
import { userActions } from '../../../src/features/users/user-actions.ts';

const at = new Date('2026-03-01T10:00:00Z');
const failed: Approval = {
  id: 'b9d1f7a0-0000-4000-8000-000000000000',
  teamId: 'T1',
  connectionId: 'c1',
  action: 'users.disable',
  payload: { id: '7' },
  reason: 'Left',
  requester: 'U1',
  state: 'failed',
  version: 3,
  drawnVersion: 3,
  toldVersion: 3,
  channelId: 'C1',
  messageTs: '1.0',
  decidedBy: 'U2',
  decisionReason: undefined,
  decidedAt: at,
  outcome: undefined,
  finishedAt: at,
  requestedAt: at,
  expiresAt: at,
};

function disabling(): BoundAction {
  const entry = userActions.find(({ name }) => name === 'users.disable');
  if (!entry) throw new Error('no such action');
  return entry.bind(failed.payload);
}

test('what the service said is escaped once', () => {
  const outcome = describeFailure(
    new RequestRejectedError('refused', {
      request: 'PATCH /users/7',
      mayHaveActed: false,
      serviceMessage: 'R&D may not <!channel>',
    }),
  );
  expect(stateLine({ ...failed, outcome }, disabling())).toContain(
    'It said: “R&amp;D may not &lt;!channel&gt;”.',
  );
});

test('a long outcome is cut without leaving half an entity', () => {
  const outcome = describeFailure(
    new RequestRejectedError('refused', {
      request: 'PATCH /users/7',
      mayHaveActed: false,
      serviceMessage: '&'.repeat(3000),
    }),
  );
  const line = stateLine({ ...failed, outcome }, disabling());
  expect(line.replaceAll('&amp;', '')).not.toContain('&');
});
