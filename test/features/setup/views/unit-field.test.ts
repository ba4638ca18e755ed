import { expect, test } from 'vitest';
import { readUnitInput, unitInput } from '../../../../src/features/setup/views/unit-field.ts';
import { parseViewValues } from '../../../../src/slack/ui/view-values.ts';

const unit = (id: string, name?: string) => ({ id, name, otherFields: {} });

function elementFor(...given: Parameters<typeof unitInput>) {
  const block = unitInput(...given);
  return block.type === 'input' ? block.element : undefined;
}

function labelsFor(...given: Parameters<typeof unitInput>): string[] | undefined {
  const element = elementFor(...given);
  if (element?.type !== 'static_select') return undefined;
  return element.options?.map(({ text }) => text.text);
}

test('units with the same name show their ids, a unit without a name its id', () => {
  const units = [unit('1', 'Finance'), unit('2', 'Finance'), unit('3', 'Sales'), unit('4', ' ')];
  expect(labelsFor(undefined, units)).toEqual([
    "The token's own unit",
    'Finance · 1',
    'Finance · 2',
    'Sales',
    '4',
  ]);
});

test('a unit that the service lists twice is offered once', () => {
  expect(labelsFor(undefined, [unit('1', 'A'), unit('1', 'A')])).toEqual([
    "The token's own unit",
    'A',
  ]);
});

test('the current unit is offered even if it is not listed', () => {
  expect(labelsFor('gone', [unit('1', 'A')])).toEqual(["The token's own unit", 'A', 'gone']);
  expect(elementFor('gone', [unit('1', 'A')])).toMatchObject({ initial_option: { value: 'gone' } });
});

test.each([
  ['there are none', []],
  ['there are more than a menu holds', Array.from({ length: 100 }, (_, i) => unit(`${i}`))],
  ['an id is too long', [unit('x'.repeat(76), 'A')]],
])('a text field replaces the menu if %s', (_, units) => {
  expect(elementFor('1', units)).toMatchObject({ type: 'plain_text_input', initial_value: '1' });
});

test('Slack accepts a menu of 99 units', () => {
  const units = Array.from({ length: 99 }, (_, i) => unit(`${i}`));
  expect(labelsFor('5', units)).toHaveLength(100);
});

const read = (input: object) => readUnitInput(parseViewValues({ organizationalUnitId: { input } }));

test('reads the menu and the text field', () => {
  const chosen = { value: '1', text: { type: 'plain_text', text: 'A' } };
  expect(read({ selected_option: chosen })).toEqual({ organizationalUnitId: '1', unitName: 'A' });
  const own = { value: '*', text: { text: "The token's own unit" } };
  const none = { organizationalUnitId: undefined, unitName: undefined };
  expect(read({ selected_option: own })).toEqual(none);
  expect(read({ selected_option: null })).toEqual(none);
  expect(read({ value: ' A ' })).toEqual({ organizationalUnitId: 'A', unitName: undefined });
});
