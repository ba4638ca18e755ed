import { expect, it } from 'vitest';
import { approvableActions } from '../../../src/features/actions/index.ts';
import type { StoredCheck } from '../../../src/requests/approval.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { approvalMessage } from '../../../src/requests/views/approval-message.ts';
import { sampleApproval } from '../sample-approval.ts';

const bind = createActionBinder(approvableActions);

function blocksWith(checks: StoredCheck[]): string {
  const approval = sampleApproval({ checks });
  return JSON.stringify(approvalMessage(approval, bind(approval), ['U2']).blocks);
}

it('lists the checks that passed and those not made, one per line', () => {
  const shown = blocksWith([
    { label: 'not one', result: 'passed', words: 'this is not one' },
    { label: 'not two', result: 'not_checkable', words: 'whether this is two', detail: 'too slow' },
    { label: 'not three', result: 'passed', words: 'this is not three' },
    { label: 'not four', result: 'not_checkable', words: 'whether this is four' },
  ]);
  expect(shown).toContain(
    '"✓ This is not one\\n⚠ Couldn\'t check: whether this is two (too slow)\\n✓ This is not three\\n⚠ Couldn\'t check: whether this is four"',
  );
});

it('renders a request of an earlier version by its labels', () => {
  expect(blocksWith([{ label: 'not one', result: 'passed' }])).toContain('"✓ Not one"');
});

it('shows the checks of a decided request as those of the time of the request', () => {
  const approval = sampleApproval({
    checks: [{ label: 'not one', result: 'passed', words: 'this is not one' }],
    state: 'denied',
    decidedBy: 'U2',
    decidedAt: new Date(),
    decisionReason: 'No',
  });
  const { blocks } = approvalMessage(approval, bind(approval), ['U2']);
  expect(JSON.stringify(blocks)).toContain('"At the time of the request:\\n✓ This is not one"');
});
