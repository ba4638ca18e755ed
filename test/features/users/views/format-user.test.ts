import { expect, test } from 'vitest';
import { deletionWarning } from '../../../../src/features/users/views/format-user.ts';

test('says that a deletion without a grace period cannot be undone', () => {
  expect(deletionWarning(0, true)).toBe(
    "If approved, the user is deleted immediately. This can't be undone.",
  );
});

test.each([
  [1, '1 minute'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [90, '90 minutes'],
  [1440, '24 hours'],
])(
  'says how long a deletion with a grace period of %i minutes can be canceled',
  (minutes, words) => {
    expect(deletionWarning(minutes, true)).toBe(
      `If approved, the user is disabled immediately and deleted after ${words}. Until then you can cancel the deletion. After that it can't be undone.`,
    );
  },
);

test('says nothing of disabling a user who is already disabled', () => {
  expect(deletionWarning(30, false)).toMatch(
    /^If approved, the user is deleted after 30 minutes\./,
  );
});
