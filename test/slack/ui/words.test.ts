import { expect, it } from 'vitest';
import { capitalize, joinWords, plural } from '../../../src/slack/ui/words.ts';

it.each([
  [0, '0 policies'],
  [1, '1 policy'],
  [2, '2 policies'],
])('counts %i in words', (count, text) => {
  expect(plural(count, 'policy', 'policies')).toBe(text);
});

it('adds an s if no plural is given', () => {
  expect(plural(2, 'alert')).toBe('2 alerts');
});

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('joins %j', (words, text) => {
  expect(joinWords(words, 'or')).toBe(text);
});

it('capitalizes the first letter only, and leaves an empty text empty', () => {
  expect(capitalize('server error')).toBe('Server error');
  expect(capitalize('')).toBe('');
});
