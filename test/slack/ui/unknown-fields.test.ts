import { expect, it } from 'vitest';
import { unknownFields, unknownValue } from '../../../src/slack/ui/unknown-fields.ts';

const room = { maxFields: 10, maxLength: 100 };

it('shows values of any shape', () => {
  const fields = {
    a_b: 'text',
    n: 0,
    no: false,
    none: null,
    empty: '',
    deep: { list: [1, '<x>'] },
  };
  expect(unknownFields(fields, room)).toEqual([
    { label: 'a_b', value: 'text' },
    { label: 'n', value: '0' },
    { label: 'no', value: 'false' },
    { label: 'none', value: '–' },
    { label: 'empty', value: '–' },
    { label: 'deep', value: '{"list":[1,"&lt;x&gt;"]}' },
  ]);
});

it('counts the fields beyond the limit', () => {
  const fields = { a: 1, b: 2, c: 3 };
  expect(unknownFields(fields, { ...room, maxFields: 1 })).toEqual([
    { label: 'a', value: '1' },
    { label: 'Not shown', value: '2 more fields of the service' },
  ]);
});

it('shows names exactly, on one line, escaped and without markup', () => {
  const [field] = unknownFields({ '*<!here>\n*': 1 }, room);
  expect(field?.label).toBe('∗&lt;!here&gt;⟨U+000A⟩∗');
  expect(unknownFields({ ' ': 1 }, room)[0]?.label).toBe('(no name)');
});

it('truncates without splitting an entity', () => {
  expect(unknownValue('<'.repeat(100), 10)).toBe('&lt;&lt;…');
});
