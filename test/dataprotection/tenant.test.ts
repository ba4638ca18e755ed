import { expect, it } from 'vitest';
import { isSameTenant, markTenant } from '../../src/dataprotection/tenant.ts';

const otherFields = {};
const users = (...ids: number[]) =>
  ids.map((id) => ({ id: String(id), email: `user${id}@example.com`, otherFields }));
const unit = (id: string, parent: string | null) => ({ id, otherFields: { parent_id: parent } });
const people = (from: number, to: number) =>
  users(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
const all = [unit('all', null)];
const team = people(1, 10);
const marks = markTenant(team, [unit('all', null), unit('finance', 'all')]);
const now = { isSameMoment: true };
const later = { isSameMoment: false };

it('recognizes the same users and topmost units', () => {
  const seen = markTenant(team.toReversed(), [unit('all', null), unit('legal', 'all')]);
  expect(isSameTenant(marks, seen, now)).toBe(true);
});

it('recognizes a tenant whose users changed a little since it was seen, but not at the same moment', () => {
  const seen = markTenant(people(2, 11), all);
  expect(isSameTenant(marks, seen, later)).toBe(true);
  expect(isSameTenant(marks, seen, now)).toBe(false);
});

it.each([
  ['with half of the users', markTenant(people(6, 15), all)],
  ['with two other users in ten', markTenant(people(3, 12), all)],
  ['with the same users and as many others', markTenant(people(1, 20), all)],
  ['in another unit', markTenant(team, [unit('finance', 'all')])],
  ['whose units are not listed', markTenant(team, undefined)],
  [
    'with other people under the same ids',
    markTenant(
      team.map((user) => ({ ...user, email: `x-${user.email}` })),
      all,
    ),
  ],
  ['without users', markTenant([], all)],
])('does not take a tenant for the same %s', (_, seen) => {
  expect(isSameTenant(marks, seen, later)).toBe(false);
});

it.each([0, 1, 2])('proves nothing from two lists of the same %i users', (count) => {
  const few = markTenant(people(1, count), all);
  expect(isSameTenant(few, few, now)).toBe(false);
});

it('counts a user once', () => {
  const one = markTenant([...users(1, 1, 1)], all);
  expect(isSameTenant(one, one, now)).toBe(false);
});
