import { expect, test } from 'vitest';
import { setupChangeAction } from '../../../src/audit-log/registry.ts';
import { approvableActions } from '../../../src/features/actions/index.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import type { SetupChange } from '../../../src/workspace/setup-change.ts';
import { sampleChange } from './sample-change.ts';

const bind = createActionBinder(approvableActions);

function bound(changes: Partial<SetupChange>) {
  const payload = { ...sampleChange('x', changes), decidedBy: 'admins' };
  return bind({ action: setupChangeAction, runs: [{ payload, snapshot: { revision: 1 } }] });
}

const texts = ['_svc@example.com', 'a:b:c', '*all*', '`code`', '~x~', 'a ꞉ b'];

test.each(texts)('shows exactly, in requests and in the audit log: %s', (text) => {
  const { after } = sampleChange();
  const changed = { tokenOwnerAfter: text, after: { ...after, organizationalUnitId: text } };
  const action = bound(changed);
  expect(action.isShownExactly()).toBe(true);
  expect(bound({ tokenOwnerBefore: text }).isShownExactly()).toBe(true);
  if (text !== 'a ꞉ b') expect(action.audited.changes).toContain(`Token owner: x → ${text}`);
});

test('does not run a change with a value too long to be shown', () => {
  const tokenOwnerAfter = '꞉'.repeat(255);
  expect(bound({ tokenOwnerAfter }).isShownExactly()).toBe(false);
  const unchanged = { tokenOwnerBefore: tokenOwnerAfter, tokenOwnerAfter };
  expect(bound(unchanged).isShownExactly()).toBe(true);
});
