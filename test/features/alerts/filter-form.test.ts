import { expect, it } from 'vitest';
import { z } from 'zod';
import { type AlertSearch, defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import {
  anyTime,
  currentSince,
  filterForm,
  filterInputs,
  filterModal,
  readFilter,
} from '../../../src/features/alerts/views/filter-form.ts';
import { formatSearch, formatWords } from '../../../src/features/alerts/views/format-search.ts';
import type { KnownBlock } from '../../../src/slack/ui/blocks.ts';
import { readFields } from '../../../src/slack/ui/form.ts';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';

const option = z.object({ value: z.string(), text: z.object({ text: z.string() }) });
const menu = z.object({
  type: z.literal('multi_static_select'),
  options: z.array(option),
  initial_options: z.array(option).default([]),
  max_selected_items: z.number(),
});

/** A menu of the modal: the labels of its options, and which are selected. */
function menuOf(blocks: unknown[], blockId: string) {
  const parsed = z
    .array(z.object({ block_id: z.string(), element: z.looseObject({}) }))
    .parse(blocks)
    .find((block) => block.block_id === blockId);
  const { options, initial_options, max_selected_items } = menu.parse(parsed?.element);
  return {
    options: options.map(({ text }) => text.text),
    initial: initial_options.map(({ value }) => value),
    max: max_selected_items,
  };
}

type Chosen = Record<string, string | string[]>;

function read(chosen: Chosen, before: AlertSearch = defaultSearch): AlertSearch {
  const state = Object.entries(chosen).map(([blockId, value]) => [
    blockId,
    {
      input: Array.isArray(value)
        ? { selected_options: value.map((one) => ({ value: one })) }
        : { value, selected_option: { value } },
    },
  ]);
  const values = parseViewValues(Object.fromEntries(state));
  const form = readFilter(readFields(filterForm.fields, values), before);
  if ('errors' in form) throw new Error(JSON.stringify(form.errors));
  return form.search;
}

it('reads selected and typed values', () => {
  const chosen = {
    severity: ['error', 'warning'],
    status: 'all',
    since: '1w',
    type: ['tag_conflict', 'restore_failed', 'policy_violated'],
    policy: ' Gold “A” ',
    words: 'vm-12 "encryption  key" a:b',
    sort: '-raised',
  };
  expect(read(chosen)).toEqual({
    severities: ['error', 'warning'],
    status: 'all',
    since: '1w',
    types: ['tag_conflict', 'restore_failed', 'policy_violated'],
    policy: 'Gold A',
    words: ['vm-12', 'encryption key', 'a:b'],
    sort: '-raised',
  });
});

it('reads quoted text as one phrase, with any kind of quotes', () => {
  expect(read({ words: 'vm-12 „encryption  key“ «a b» don’t "x' }).words).toEqual([
    ...['vm-12', 'encryption key', 'a b', 'don’t', 'x'],
  ]);
});

it('reads an untouched modal as the default search', () => {
  expect(read({})).toEqual(defaultSearch);
  expect(read({ severity: [], type: [], since: anyTime, words: ' ' })).toEqual(defaultSearch);
  expect(read({ status: 'odd', sort: 'odd', since: 'odd' })).toEqual(defaultSearch);
});

it('preserves values that no menu offers, unless they are changed', () => {
  const before: AlertSearch = { ...defaultSearch, since: '5d' };
  expect(JSON.stringify(filterModal(before, builtInValues, 'C1').blocks)).toContain(
    `"initial_option":{"value":"${currentSince}","text":{"type":"plain_text","text":"Last 5 days"`,
  );
  expect(read({ since: currentSince }, before)).toEqual(before);
  expect(read({ since: '1h' }, before)).toEqual({ ...before, since: '1h' });
});

it.each([
  ['10w', 'Last 10 weeks'],
  ['5h', 'Last 5 hours'],
  ['monday', 'Since Monday'],
  ['yesterday', 'Since yesterday'],
  ['2026-11-01', 'Since 2026-11-01'],
])('names the time %s in words', (since, label) => {
  const { blocks } = filterModal({ ...defaultSearch, since }, builtInValues, 'C1');
  expect(JSON.stringify(blocks)).toContain(`"text":"${label}"`);
});

it('has the focus on its first field, and no status, time and order where those do not apply', () => {
  const idsOf = (blocks: KnownBlock[]) => blocks.map(({ block_id: id }) => id);
  const [first, ...others] = filterInputs(defaultSearch, builtInValues);
  expect(JSON.stringify(first)).toContain('"focus_on_load":true');
  expect(JSON.stringify(others)).not.toContain('focus_on_load');
  expect(idsOf(filterInputs(defaultSearch, builtInValues, { hasListOptions: false }))).toEqual([
    ...['severity', 'type', 'policy', 'words'],
  ]);
});

it('preserves the time zone of a date, and drops it with the date', () => {
  const before: AlertSearch = { ...defaultSearch, since: '2026-11-22', timeZone: 'Asia/Tokyo' };
  expect(read({ since: currentSince }, before)).toEqual(before);
  expect(read({ since: '1h' }, before)).toEqual({ ...defaultSearch, since: '1h' });
});

it('offers the values of the current search beside the known ones, and selects them', () => {
  const before = { ...defaultSearch, severities: ['critical', 'error'], types: ['x', 'y'] };
  const { blocks } = filterModal(before, builtInValues, 'C1');
  const [severity, type] = [menuOf(blocks, 'severity'), menuOf(blocks, 'type')];
  expect(severity.options).toEqual(['Error', 'Warning', 'Notice', 'Critical']);
  expect(severity.initial).toEqual(['error', 'critical']);
  expect(type.options).toHaveLength(builtInValues.types.length + 2);
  expect(type.initial).toEqual(['x', 'y']);
  const again = read({ severity: severity.initial, type: type.initial }, before);
  expect(formatSearch(again)).toBe('severity:error,critical type:x,y');
});

it('limits the number of names to the maximum of a search', () => {
  const names = Array.from({ length: 40 }, (_, index) => `type_${index}`);
  const { blocks } = filterModal(defaultSearch, { severities: ['error'], types: names }, 'C1');
  const { options, max } = menuOf(blocks, 'type');
  expect(options).toHaveLength(40);
  const chosen = names.slice(0, max);
  expect(read({ type: chosen }).types).toEqual(chosen);
  expect(() => read({ type: names.slice(0, max + 1) })).toThrow();
});

it('accepts every search that can be typed, up to the length that fits in a button', () => {
  const words = '1:2 '.repeat(200).trim().split(' ');
  const before = { ...defaultSearch, words };
  const shown = JSON.stringify(filterModal(before, builtInValues, 'C1').blocks);
  expect(shown).toContain(JSON.stringify(formatWords(words)));
  expect(read({ words: formatWords(words) })).toEqual(before);
  expect(() => read({ words: 'x'.repeat(101) })).toThrow('At most 100 characters for each word.');
  expect(() => read({ words: 'x '.repeat(1000) })).toThrow('This filter is too long.');
});
