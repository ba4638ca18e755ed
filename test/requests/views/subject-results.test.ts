import { expect, test } from 'vitest';
import { approvableActions } from '../../../src/features/actions/index.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { resultsOf } from '../../../src/requests/views/subject-results.ts';
import { sampleApproval } from '../sample-approval.ts';

test.each([
  [
    'failed',
    "The deletion was canceled, but Belay couldn't enable the account again. A server error.",
  ],
  [
    'outcome_unknown',
    "The deletion was canceled. Belay doesn't know whether the account is enabled again.",
  ],
] as const)(
  'the row of a user whose cancellation is %s says that the deletion is off',
  (state, result) => {
    const payload = { id: '7', email: 'kim@example.com', graceMinutes: 30 };
    const outcome = 'A server error.';
    const canceled = sampleApproval({
      action: 'users.delete',
      state,
      step: 'cancel',
      payload,
      outcome,
    });
    expect(resultsOf(canceled, createActionBinder(approvableActions))).toMatchObject([{ result }]);
  },
);
