import { expect, test } from 'vitest';
import { settingForms } from '../../../src/features/setup/views/setup-modal.ts';
import { checkFields, foundErrors } from '../../../src/slack/ui/form.ts';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';
import { defaultSettings, limits } from '../../../src/workspace/settings/document.ts';
import { definedSettings } from '../../../src/workspace/settings/settings.ts';

/** The settings after a number was entered, or the errors. */
function enter(name: string, value: string | undefined) {
  const setting = settingForms.find((one) => one.name === name);
  if (!setting) throw new Error(`no form changes ${name}`);
  const values = parseViewValues({ [name]: { input: { value } } });
  const errors = foundErrors(checkFields(setting.form.fields, values));
  return errors ?? setting.set(defaultSettings, values);
}

test.each([
  ['deleteGraceMinutes', '0', 0],
  ['deleteGraceMinutes', '1440', 1440],
  ['deleteGraceMinutes', '030', 30],
  ['usersPerHour', '1', 1],
  ['usersPerHour', '1000', 1000],
  ['weakeningApprovals', '3', 3],
  ['maxAlertsCleared', '1000', 1000],
])('the form of %s accepts %s', (name, typed, value) => {
  expect(enter(name, typed)).toEqual({ ...defaultSettings, [name]: value });
});

test.each([
  [101, 'approval'],
  [100, undefined],
  [99, 'nothing'],
])('a limit of %s alerts in place of 100 requires %s', (maxAlertsCleared, required) => {
  const { compare } = definedSettings.maxAlertsCleared;
  expect(compare(defaultSettings, { ...defaultSettings, maxAlertsCleared })).toBe(required);
});

test.each([undefined, '-1', '1441', '1.5', '1e3', '0x10', 'soon', '٣', '9'.repeat(40)])(
  'rejects a grace period of %s',
  (grace) => {
    expect(enter('deleteGraceMinutes', grace)).toEqual({
      deleteGraceMinutes: 'Enter a whole number from 0 to 1440.',
    });
  },
);

test.each(Object.entries(limits))('rejects %s beyond what is stored', (name, { min, max }) => {
  const error = { [name]: `Enter a whole number from ${min} to ${max}.` };
  expect(enter(name, String(min - 1))).toEqual(error);
  expect(enter(name, String(max + 1))).toEqual(error);
});
