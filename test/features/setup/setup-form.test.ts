import { expect, test } from 'vitest';
import { readLimits } from '../../../src/features/setup/setup-form.ts';

const read = (
  deleteGraceMinutes: string | undefined,
  usersPerHour: string | undefined,
  weakeningApprovals = '2',
) => readLimits({ deleteGraceMinutes, usersPerHour, weakeningApprovals });

test.each([
  ['0', '1'],
  ['1440', '1000'],
  ['030', '10'],
])('accepts %s minutes and %s users', (grace, users) => {
  expect(read(grace, users)).toEqual({
    deleteGraceMinutes: Number(grace),
    usersPerHour: Number(users),
    weakeningApprovals: 2,
  });
});

test.each([undefined, '-1', '1441', '1.5', '1e3', '0x10', 'soon', '٣', '9'.repeat(40)])(
  'rejects a grace period of %s',
  (grace) => {
    expect(read(grace, '10')).toEqual({
      errors: { 'delete-grace': 'Enter a whole number from 0 to 1440.' },
    });
  },
);

test('returns an error for each number', () => {
  expect(read('never', '0', '4')).toEqual({
    errors: {
      'delete-grace': 'Enter a whole number from 0 to 1440.',
      'users-per-hour': 'Enter a whole number from 1 to 1000.',
      'weakening-approvals': 'Enter a whole number from 1 to 3.',
    },
  });
});
