import { expect, test } from 'vitest';
import { deletionWarning } from '../../../../src/features/users/views/format-user.ts';

test('says that a deletion without a grace period cannot be undone', () => {
  expect(deletionWarning(0)).toBe('This cannot be undone.');
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
    expect(deletionWarning(minutes)).toBe(
      `They are disabled at once and deleted ${words} later. Until then *Keep this user* takes it back; after that it cannot be undone.`,
    );
  },
);
