import { expect, test } from 'vitest';
import { coversAllUnits, rankOfRole } from '../../../src/dataprotection/dialects/live-roles.ts';

test.each([
  ['Super Admin', 'super-administrator'],
  [' SUPER  administrator ', 'super-administrator'],
  ['OU Admin', 'administrator'],
  ['Organizational Unit Admin', 'administrator'],
  ['Administrator', 'administrator'],
  ['Backup Operator', 'limited'],
  ['Restore Operator', 'limited'],
  ['Owner', 'unknown'],
  ['Not a Super Admin', 'unknown'],
  ['Backup Admins', 'unknown'],
  ['Superadministrador', 'unknown'],
  ['Super\u200b Admin', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('the role %j is %s', (name, rank) => {
  expect(rankOfRole(name)).toBe(rank);
});

test.each([
  [[], true],
  [['00000000-0000-0000-0000-000000000000'], true],
  [['u1', '00000000-0000-0000-0000-000000000000'], true],
  [['u1'], false],
])('a role granted in %j applies everywhere: %s', (unitIds, answer) => {
  expect(coversAllUnits(unitIds)).toBe(answer);
});
