import { expect, it } from 'vitest';
import {
  channelElement,
  checkboxesElement,
  multiSelectElement,
  numberElement,
  parseViewValues,
  peopleElement,
  selectElement,
  textElement,
  timeElement,
} from '../../../src/slack/ui/view-values.ts';

it('reads each kind of input by its block id', () => {
  const values = parseViewValues({
    reason: { input: { type: 'plain_text_input', value: '  left the company \n' } },
    region: {
      input: { type: 'static_select', selected_option: { value: 'eu', text: { text: 'Europe' } } },
    },
    approvers: { input: { type: 'multi_users_select', selected_users: ['U1', 'U2'] } },
    channel: { input: { type: 'conversations_select', selected_conversation: 'C1' } },
  });
  expect(values.text('reason')).toBe('left the company');
  expect(values.option('region')).toBe('eu');
  expect(values.optionText('region')).toBe('Europe');
  expect(values.users('approvers')).toEqual(['U1', 'U2']);
  expect(values.conversation('channel')).toBe('C1');
});

it.each([
  ['absent', {}],
  ['absent, in the empty list that Slack sends for no fields', []],
  ['of another form', { a: { other: { value: 'x' } } }],
  ['null', { a: { input: { value: null, selected_option: null, selected_users: null } } }],
  ['left empty', { a: { input: { value: ' \n ', selected_users: [] } } }],
])('reads an input that is %s as undefined', (_, state) => {
  const values = parseViewValues(state);
  expect(values.text('a')).toBeUndefined();
  expect(values.option('a')).toBeUndefined();
  expect(values.optionText('a')).toBeUndefined();
  expect(values.users('a')).toEqual([]);
  expect(values.conversation('a')).toBeUndefined();
});

it('throws on an invalid state', () => {
  expect(() => parseViewValues({ a: { input: { value: 7 } } })).toThrow();
  expect(() => parseViewValues('state')).toThrow();
});

it('has an input for a whole number in a range, and reads it as typed', () => {
  expect(numberElement({ min: 0, max: 60, initial: '30' })).toMatchObject({
    is_decimal_allowed: false,
    min_value: '0',
    max_value: '60',
    initial_value: '30',
  });
  const values = parseViewValues({ grace: { input: { type: 'number_input', value: '0' } } });
  expect(values.text('grace')).toBe('0');
});

it('preselects a choice only if it is offered', () => {
  const choices = [
    { value: 'eu', label: 'Europe' },
    { value: 'us', label: 'x'.repeat(100) },
  ];
  expect(selectElement(choices, 'eu')).toMatchObject({ initial_option: { value: 'eu' } });
  expect(selectElement(choices, 'gone')).not.toHaveProperty('initial_option');
  expect(JSON.stringify(selectElement(choices))).toContain(`${'x'.repeat(74)}…`);
});

it('omits empty initial values, which Slack refuses', () => {
  const elements = [
    textElement({ maxLength: 10, initial: '' }),
    numberElement({ min: 0, max: 10 }),
    peopleElement([]),
    multiSelectElement([{ value: 'eu', label: 'Europe' }], ['gone']),
    channelElement(undefined),
  ];
  for (const element of elements) {
    expect(Object.keys(element).filter((key) => key.startsWith('initial'))).toEqual([]);
  }
});

it('has inputs for checkboxes and a time, and reads their values', () => {
  const days = [
    { value: '1', label: 'Monday' },
    { value: '2', label: 'Tuesday' },
  ];
  expect(checkboxesElement(days, ['2', '9'])).toMatchObject({ initial_options: [{ value: '2' }] });
  expect(checkboxesElement(days, [])).not.toHaveProperty('initial_options');
  expect(timeElement('09:00')).toMatchObject({ initial_time: '09:00' });
  expect(timeElement(undefined)).not.toHaveProperty('initial_time');
  const values = parseViewValues({
    days: { input: { type: 'checkboxes', selected_options: [{ value: '1' }, { value: '2' }] } },
    time: { input: { type: 'timepicker', selected_time: '09:00' } },
    until: { input: { type: 'timepicker', selected_time: null } },
  });
  expect(values.options('days')).toEqual(['1', '2']);
  expect(values.time('time')).toBe('09:00');
  expect(values.time('until')).toBeUndefined();
  expect(values.options('none')).toEqual([]);
});

it('has an input for several choices, and reads the selected ones', () => {
  const choices = [
    { value: 'error', label: 'Error' },
    { value: 'warning', label: 'x'.repeat(100) },
  ];
  const element = multiSelectElement(choices, ['warning', 'gone'], {
    placeholder: 'Any severity',
    maxSelected: 20,
  });
  expect(element).toMatchObject({
    type: 'multi_static_select',
    max_selected_items: 20,
    placeholder: { type: 'plain_text', text: 'Any severity' },
    initial_options: [{ value: 'warning', text: { text: `${'x'.repeat(74)}…` } }],
  });
  const values = parseViewValues({
    some: {
      input: {
        type: 'multi_static_select',
        selected_options: [{ value: 'error' }, { value: 'warning' }],
      },
    },
    none: { input: { type: 'multi_static_select', selected_options: [] } },
  });
  expect(values.options('some')).toEqual(['error', 'warning']);
  expect(values.options('none')).toEqual([]);
});
