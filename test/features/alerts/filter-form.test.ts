import { expect, it } from 'vitest';
import { type AlertSearch, usualSearch } from '../../../src/features/alerts/alert-search.ts';
import { wordsText } from '../../../src/features/alerts/alert-search-text.ts';
import { any, asBefore, readFilterForm } from '../../../src/features/alerts/filter-form.ts';
import { filterModal } from '../../../src/features/alerts/filter-modal.ts';
import { usualValues } from '../../../src/features/alerts/known-values.ts';
import { parseViewValues } from '../../../src/slack/view-values.ts';

function read(chosen: Record<string, string>, before: AlertSearch = usualSearch): AlertSearch {
  const state = Object.entries(chosen).map(([blockId, value]) => [
    blockId,
    { input: { value, selected_option: { value } } },
  ]);
  const form = readFilterForm(parseViewValues(Object.fromEntries(state)), before);
  if ('errors' in form) throw new Error(JSON.stringify(form.errors));
  return form.search;
}

it('reads what was chosen and typed', () => {
  const chosen = {
    ...{ severity: 'error,warning', status: 'all', type: 'tag_conflict', since: '1w' },
    ...{ policy: ' Gold “A” ', words: 'vm-12 "encryption  key" a:b', sort: '-raised' },
  };
  expect(read(chosen)).toEqual({
    ...{ severities: ['error', 'warning'], status: 'all', types: ['tag_conflict'], since: '1w' },
    ...{ policy: 'Gold A', words: ['vm-12', 'encryption key', 'a:b'], sort: '-raised' },
  });
});

it('reads a form left alone as the usual search', () => {
  expect(read({})).toEqual(usualSearch);
  expect(read({ severity: any, type: any, since: any, words: ' ' })).toEqual(usualSearch);
  expect(read({ status: 'odd', sort: 'odd', since: 'odd' })).toEqual(usualSearch);
});

it('keeps what no menu offers, unless it is changed', () => {
  const before: AlertSearch = {
    ...{ ...usualSearch, severities: ['a', 'b', 'c'], types: ['x', 'y'], since: '5d' },
  };
  const form = JSON.stringify(filterModal(before, usualValues, 'C1').blocks);
  for (const label of ['As now: a, b, c', 'As now: x, y', 'As now: 5d']) {
    expect(form).toContain(
      `"initial_option":{"value":"${asBefore}","text":{"type":"plain_text","text":"${label}"`,
    );
  }
  const kept = { severity: asBefore, type: asBefore, since: asBefore };
  expect(read(kept, before)).toEqual(before);
  expect(read({ ...kept, since: '1h' }, before)).toEqual({ ...before, since: '1h' });
});

it('takes back all words that could be typed, and no more than a button carries', () => {
  const words = '1:2 '.repeat(200).trim().split(' ');
  const before = { ...usualSearch, words };
  const shown = JSON.stringify(filterModal(before, usualValues, 'C1').blocks);
  expect(shown).toContain(JSON.stringify(wordsText(words)));
  expect(read({ words: wordsText(words) })).toEqual(before);
  expect(() => read({ words: 'x'.repeat(101) })).toThrow('Please use fewer or shorter words.');
  expect(() => read({ words: 'x '.repeat(1000) })).toThrow('Please use fewer or shorter words.');
});
