import { expect, test } from 'vitest';
import { RequestRejectedError } from '../../../src/dataprotection/http/errors.ts';
import { describeFailure } from '../../../src/describe-failure.ts';
import { approvableActions } from '../../../src/features/actions/index.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { formatState } from '../../../src/requests/views/format-state.ts';
import { changeSample, sampleApproval } from '../sample-approval.ts';

const failed = sampleApproval({
  state: 'failed',
  decidedBy: 'U2',
  decidedAt: new Date('2026-03-01T10:00:00Z'),
});
const bind = createActionBinder(approvableActions);

test('escapes the text of the service once', () => {
  const outcome = describeFailure(
    new RequestRejectedError('refused', {
      request: 'PATCH /users/{id}',
      mayHaveActed: false,
      serviceMessage: 'R&D may not <!channel>',
    }),
  );
  expect(formatState(changeSample(failed, { outcome }), bind(failed))).toContain(
    'The service said: “R&amp;D may not &lt;!channel&gt;”.',
  );
});

test('truncates a long outcome without splitting an entity', () => {
  const outcome = describeFailure(
    new RequestRejectedError('refused', {
      request: 'PATCH /users/{id}',
      mayHaveActed: false,
      serviceMessage: '&'.repeat(3000),
    }),
  );
  const line = formatState(changeSample(failed, { outcome }), bind(failed));
  expect(line.replaceAll('&amp;', '')).not.toContain('&');
});
