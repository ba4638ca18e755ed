import { expect, test } from 'vitest';
import { setupForm } from '../../../src/features/setup/setup-form.ts';
import { checkFields, foundErrors, readFields } from '../../../src/slack/ui/form.ts';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';

function read(
  deleteGraceMinutes: string | undefined,
  usersPerHour: string | undefined,
  weakeningApprovals = '2',
) {
  const typed = { deleteGraceMinutes, usersPerHour, weakeningApprovals };
  const inputs = Object.entries(typed).map(([id, value]) => [id, { input: { value } }]);
  const values = parseViewValues(Object.fromEntries(inputs));
  const errors = foundErrors(checkFields(setupForm.fields, values));
  return errors ? { errors } : readFields(setupForm.fields, values);
}

test.each([
  ['0', '1'],
  ['1440', '1000'],
  ['030', '10'],
])('accepts %s minutes and %s users', (grace, users) => {
  expect(read(grace, users)).toMatchObject({
    deleteGraceMinutes: Number(grace),
    usersPerHour: Number(users),
    weakeningApprovals: 2,
  });
});

test.each([undefined, '-1', '1441', '1.5', '1e3', '0x10', 'soon', '٣', '9'.repeat(40)])(
  'rejects a grace period of %s',
  (grace) => {
    expect(read(grace, '10')).toEqual({
      errors: { deleteGraceMinutes: 'Enter a whole number from 0 to 1440.' },
    });
  },
);

test('returns an error for each number', () => {
  expect(read('never', '0', '4')).toEqual({
    errors: {
      deleteGraceMinutes: 'Enter a whole number from 0 to 1440.',
      usersPerHour: 'Enter a whole number from 1 to 1000.',
      weakeningApprovals: 'Enter a whole number from 1 to 3.',
    },
  });
});
