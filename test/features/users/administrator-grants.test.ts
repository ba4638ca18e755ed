import { expect, test } from 'vitest';
import {
  administratorGrants,
  hasGrant,
} from '../../../src/features/users/check-last-administrator.ts';

const globalUnitId = '00000000-0000-0000-0000-000000000000';
const names = new Map([
  ['super', 'Super Admin'],
  ['unit', 'OU Admin'],
  ['backup', 'Backup Operator'],
  ['owner', 'Owner'],
]);
const inEvery = (roleId: string) => ({ roleId, unitIds: [] });
const inOne = (roleId: string, ...unitIds: string[]) => ({ roleId, unitIds });

test('only the super administrator role counts for a user who has it', () => {
  const roles = [inOne('unit', 'u1'), inEvery('super'), inEvery('backup')];
  expect(administratorGrants(roles, names)).toEqual([
    { roleId: 'super', unitId: undefined, rank: 'super-administrator' },
  ]);
});

test('an administrator counts in each of their units', () => {
  const grants = [
    { roleId: 'unit', unitId: 'u1', rank: 'administrator' },
    { roleId: 'unit', unitId: 'u2', rank: 'administrator' },
  ];
  expect(administratorGrants([inOne('unit', 'u1', 'u2')], names)).toEqual(grants);
});

test('roles known to be limited do not count; unknown and nameless ones do', () => {
  const roles = [inEvery('backup'), inEvery('nameless'), inOne('owner', 'u1')];
  expect(administratorGrants(roles, names)).toEqual([
    { roleId: 'nameless', unitId: undefined, rank: 'unknown' },
    { roleId: 'owner', unitId: 'u1', rank: 'unknown' },
  ]);
});

test.each([
  ['the same role in the same unit', [inOne('unit', 'u1')], true],
  ['the same role in that unit and others', [inOne('unit', 'u1', 'u2')], true],
  ['the same role everywhere', [inEvery('unit')], true],
  ['the same role in the unit that holds all', [inOne('unit', globalUnitId)], true],
  ['the highest role everywhere', [inEvery('super')], true],
  ['the highest role in that unit', [inOne('super', 'u1')], true],
  ['the same role in another unit', [inOne('unit', 'u2')], false],
  ['the highest role in another unit', [inOne('super', 'u2')], false],
  ['another role', [inEvery('backup')], false],
  ['an unknown role', [inEvery('owner')], false],
  ['no role', [], false],
])('a unit administrator can be replaced by %s: %s', (_who, roles, answer) => {
  expect(hasGrant(roles, { roleId: 'unit', unitId: 'u1', rank: 'administrator' }, names)).toBe(
    answer,
  );
});

test.each([
  ['the same role everywhere', [inEvery('super')], true],
  ['the same role in the unit that holds all', [inOne('super', globalUnitId)], true],
  ['the same role in a unit', [inOne('super', 'u1')], false],
  ['a lesser role everywhere', [inEvery('unit')], false],
])('a super administrator can be replaced by %s: %s', (_who, roles, answer) => {
  expect(
    hasGrant(roles, { roleId: 'super', unitId: undefined, rank: 'super-administrator' }, names),
  ).toBe(answer);
});
