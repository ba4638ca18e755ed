import { expect, it } from 'vitest';
import { refusalWords } from '../../../../src/features/audit/views/format-reason.ts';
import { userActions } from '../../../../src/features/users/user-actions.ts';
import { openReference } from '../../../dataprotection/reference-service.ts';

it('has words for every guard, whose short name the log keeps', async () => {
  const { client } = await openReference();
  const payload = { id: '8', graceMinutes: 30 };
  const basis = { id: '8', roles: null, isEnabled: true, isConfirmed: true };
  const names = { email: 'a@x.example', fullName: 'Ana' };
  const remove = userActions.find(({ name }) => name === 'users.delete');
  const action = remove?.bind({ action: 'users.delete', payload });
  const context = { client, tokenOwner: undefined, subjectsUnderWay: [] };
  const checks = (await action?.checks({ ...basis, ...names }, context)) ?? [];
  expect(checks).toHaveLength(2);
  for (const { label } of checks) expect(refusalWords(label)).not.toBe(label);
});

it('shows a reason of later times as it is', () => {
  expect(refusalWords('some_new-reason')).toBe('some new reason');
  expect(refusalWords('')).toBeUndefined();
  expect(refusalWords(7)).toBeUndefined();
});
