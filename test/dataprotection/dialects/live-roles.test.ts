import { expect, test } from 'vitest';
import {
  coversAllUnits,
  isAdministratorRole,
  isSuperAdministratorRole,
} from '../../../src/dataprotection/dialects/live-roles.ts';

test.each([
  ['Super Admin', true],
  ['OU Admin', true],
  ['administrator', true],
  ['Backup ADMINS', true],
  ['Administrators (EU)', true],
  ['Backup Operator', false],
  ['Administration', false],
  ['Badminton', false],
  ['', false],
])('%j is an administrator role: %s', (name, answer) => {
  expect(isAdministratorRole(name)).toBe(answer);
});

test.each([
  ['Super Admin', true],
  ['super administrators', true],
  ['OU Admin', false],
  ['Super Operator', false],
  ['Superb Admin', false],
])('%j is a super administrator role: %s', (name, answer) => {
  expect(isSuperAdministratorRole(name)).toBe(answer);
});

test.each([
  [[], true],
  [['00000000-0000-0000-0000-000000000000'], true],
  [['u1', '00000000-0000-0000-0000-000000000000'], true],
  [['u1'], false],
])('a role granted in %j applies everywhere: %s', (unitIds, answer) => {
  expect(coversAllUnits(unitIds)).toBe(answer);
});
