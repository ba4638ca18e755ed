import { expect, it } from 'vitest';
import { isSameTenant, markTenant } from '../../src/dataprotection/tenant.ts';

const otherFields = {};
const users = (...ids: number[]) =>
  ids.map((id) => ({ id: String(id), email: `user${id}@example.com`, otherFields }));
const unit = (id: string, parent: string | null) => ({ id, otherFields: { parent_id: parent } });
const team = users(1, 2, 3, 4);
const marks = markTenant(team, [unit('all', null), unit('finance', 'all')]);

it('recognizes a tenant whose users and lower units changed a little', () => {
  const now = markTenant(users(2, 3, 4, 5), [unit('all', null), unit('legal', 'all')]);
  expect(isSameTenant(marks, now)).toBe(true);
});

it.each([
  ['with few of the users', markTenant(users(4, 5, 6, 7), [unit('all', null)])],
  ['in another unit', markTenant(team, [unit('finance', 'all')])],
  ['whose units are not listed', markTenant(team, undefined)],
  [
    'with other people under the same ids',
    markTenant(
      team.map((user) => ({ ...user, email: `x-${user.email}` })),
      [unit('all', null)],
    ),
  ],
  ['without users', markTenant([], [unit('all', null)])],
])('does not take a tenant for the same %s', (_, now) => {
  expect(isSameTenant(marks, now)).toBe(false);
});

it('proves nothing from two empty lists', () => {
  const nobody = markTenant([], [unit('all', null)]);
  expect(isSameTenant(nobody, nobody)).toBe(false);
});
