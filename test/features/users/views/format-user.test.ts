import { expect, test } from 'vitest';
import { deletionWarning } from '../../../../src/features/users/views/format-user.ts';

test('without grace it says that there is no way back', () => {
  expect(deletionWarning(0)).toBe('This cannot be undone.');
});

test.each([
  [1, '1 minute'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [90, '90 minutes'],
  [1440, '24 hours'],
])('with a grace of %i minutes it says until when there is one', (minutes, words) => {
  expect(deletionWarning(minutes)).toBe(
    `They are disabled at once and deleted ${words} later. Until then *Keep this user* takes it back; after that it cannot be undone.`,
  );
});
