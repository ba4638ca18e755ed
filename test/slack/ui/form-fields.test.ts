import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  checkFields,
  defineForm,
  foundErrors,
  readFields,
  readLongText,
  withErrors,
} from '../../../src/slack/ui/form.ts';
import {
  channelField,
  checkboxesField,
  checkboxField,
  dateField,
  multiSelectField,
  numberField,
  optionalNumberField,
  peopleField,
  personField,
  selectField,
  textField,
  timeField,
} from '../../../src/slack/ui/form-fields.ts';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';

const regions = [
  { value: 'eu', label: 'Europe' },
  { value: 'us', label: 'x'.repeat(100) },
];

const form = defineForm('test.form', {
  metadata: z.object({ channelId: z.string().optional() }),
  fields: {
    reason: textField({
      label: 'Reason',
      hint: 'Visible to everyone.',
      maxLength: 10,
      isMultiline: true,
      missing: 'Enter a reason.',
    }),
    grace: numberField({ label: 'Grace period', min: 0, max: 60 }),
    limit: optionalNumberField({ label: 'Limit', min: 1, max: 5, invalid: 'At most five.' }),
    region: selectField({ label: 'Region', choices: regions }),
    types: multiSelectField({ label: 'Types', placeholder: 'Any type', maxSelected: 20 }),
    days: checkboxesField({ label: 'Days', choices: regions }),
    remove: checkboxField({ label: 'Remove', choice: 'Remove this rule' }),
    time: timeField({ label: 'Time' }),
    until: dateField({ label: 'Last day' }),
    person: personField({ label: 'Stand-in' }),
    people: peopleField({ label: 'People' }),
    channel: channelField({ label: 'Channel' }),
  },
});
const { fields } = form;

const nothing = {
  reason: '',
  grace: Number.NaN,
  limit: undefined,
  region: undefined,
  types: [],
  days: [],
  remove: false,
  time: undefined,
  until: undefined,
  person: undefined,
  people: [],
  channel: undefined,
};

function inputs(given: Record<string, object>) {
  const states = Object.entries(given).map(([id, input]) => [id, { input }]);
  return parseViewValues(Object.fromEntries(states));
}

it('reads what was entered in each field', () => {
  const values = inputs({
    reason: { value: '  left the company \n' },
    grace: { value: '030' },
    limit: { value: '5' },
    region: { selected_option: { value: 'eu' } },
    types: { selected_options: [{ value: 'a' }, { value: 'b' }] },
    days: { selected_options: [{ value: 'us' }] },
    remove: { selected_options: [{ value: 'yes' }] },
    time: { selected_time: '09:00' },
    until: { selected_date: '2026-12-01' },
    person: { selected_user: 'U1' },
    people: { selected_users: ['U1', 'U2'] },
    channel: { selected_conversation: 'C1' },
  });
  expect(readFields(fields, values)).toEqual({
    reason: 'left the company',
    grace: 30,
    limit: 5,
    region: 'eu',
    types: ['a', 'b'],
    days: ['us'],
    remove: true,
    time: '09:00',
    until: '2026-12-01',
    person: 'U1',
    people: ['U1', 'U2'],
    channel: 'C1',
  });
  expect(foundErrors(checkFields(fields, values))).toBeUndefined();
  expect(readLongText(fields, values)).toBe('left the company');
});

it('reads fields that are empty or absent, and refuses those that are required', () => {
  const empty = {
    reason: { value: ' \n ' },
    grace: { value: null },
    limit: { value: null },
    region: { selected_option: null },
    types: { selected_options: [] },
    days: { selected_options: null },
    time: { selected_time: null },
    until: { selected_date: null },
    person: { selected_user: null },
    people: { selected_users: null },
    channel: { selected_conversation: null },
  };
  for (const values of [inputs({}), inputs(empty)]) {
    expect(readFields(fields, values)).toEqual(nothing);
    expect(foundErrors(checkFields(fields, values))).toEqual({
      reason: 'Enter a reason.',
      grace: 'Enter a whole number from 0 to 60.',
    });
    expect(readLongText(fields, values)).toBe('');
  }
});

it.each(['-1', '61', '1.5', '1e1', '0x10', 'soon', '٣', '9'.repeat(40)])(
  'refuses %s as a number',
  (value) => {
    const values = inputs({ reason: { value: 'x' }, grace: { value }, limit: { value } });
    expect(checkFields(fields, values)).toMatchObject({
      grace: 'Enter a whole number from 0 to 60.',
      limit: 'At most five.',
    });
  },
);

it('shows a field with what it was declared with, or with what is given instead', () => {
  expect(fields.reason.block('Left')).toEqual({
    type: 'input',
    block_id: 'reason',
    label: { type: 'plain_text', text: 'Reason', emoji: false },
    hint: { type: 'plain_text', text: 'Visible to everyone.', emoji: false },
    element: {
      type: 'plain_text_input',
      action_id: 'input',
      max_length: 10,
      multiline: true,
      initial_value: 'Left',
    },
  });
  const shown = fields.reason.block('', { label: 'Why', isOptional: true, isFocused: true });
  expect(shown).toMatchObject({
    label: { text: 'Why' },
    optional: true,
    element: { focus_on_load: true },
  });
  expect(
    fields.types.block(['b', 'gone'], { choices: [{ value: 'b', label: 'B' }] }),
  ).toMatchObject({
    element: {
      type: 'multi_static_select',
      max_selected_items: 20,
      placeholder: { type: 'plain_text', text: 'Any type' },
      initial_options: [{ value: 'b', text: { text: 'B' } }],
    },
  });
  expect(fields.grace.block(0).element).toMatchObject({
    is_decimal_allowed: false,
    min_value: '0',
    max_value: '60',
    initial_value: '0',
  });
  expect(fields.remove.block(true)).toMatchObject({
    optional: true,
    element: { initial_options: [{ value: 'yes' }] },
  });
  expect(fields.limit.block(2)).toMatchObject({ optional: true, element: { initial_value: '2' } });
  expect(fields.days.block(['us', '9']).element).toMatchObject({
    initial_options: [{ value: 'us' }],
  });
  expect(fields.time.block('09:00').element).toMatchObject({ initial_time: '09:00' });
  expect(fields.until.block('2026-12-01').element).toMatchObject({ initial_date: '2026-12-01' });
  expect(fields.person.block('U1').element).toMatchObject({ initial_user: 'U1' });
  expect(fields.people.block(['U1']).element).toMatchObject({ initial_users: ['U1'] });
  expect(fields.channel.block('C1').element).toMatchObject({ initial_conversation: 'C1' });
});

it('preselects a choice only if it is offered', () => {
  expect(fields.region.block('eu').element).toMatchObject({ initial_option: { value: 'eu' } });
  expect(fields.region.block('gone').element).not.toHaveProperty('initial_option');
  expect(JSON.stringify(fields.region.block())).toContain(`${'x'.repeat(74)}…`);
});

it('omits empty initial values, which Slack refuses', () => {
  const empty = [
    ...Object.values(fields).map((field) => field.block()),
    fields.reason.block(''),
    fields.people.block([]),
    fields.days.block([]),
    fields.remove.block(false),
  ];
  for (const { element } of empty) {
    expect(Object.keys(element).filter((key) => key.startsWith('initial'))).toEqual([]);
  }
});

it('carries its metadata, up to the length that Slack allows', () => {
  const shown = { title: 'A form', submit: 'Send', blocks: [] };
  expect(form.modal({ ...shown, metadata: { channelId: 'C1' } })).toMatchObject({
    callback_id: 'test.form',
    private_metadata: '{"channelId":"C1"}',
    close: { text: 'Cancel' },
  });
  expect(() => form.modal({ ...shown, metadata: { channelId: 'C'.repeat(3000) } })).toThrow(
    'longer than Slack carries',
  );
});

it('shows late errors above its fields, by their labels', () => {
  const blocks = [fields.reason.block(), fields.time.block()];
  const view = form.modal({ title: 'A form', submit: 'Send', metadata: {}, blocks });
  const errors = { reason: 'Not *this* one.', time: undefined, gone: 'Somewhere else.' };
  const [first, ...others] = withErrors(view, errors).blocks;
  expect(first).toMatchObject({
    text: { text: expect.stringMatching(/^:warning: \*Nothing was saved\.\*\n\*Reason\*: Not /) },
  });
  expect(JSON.stringify(first)).toContain('\\nSomewhere else.');
  expect(JSON.stringify(first)).not.toContain('*this*');
  expect(others).toEqual(view.blocks);
});
