import { afterEach, expect, it, vi } from 'vitest';
import { atLeast, atMost, judge } from '../../bench/aims.ts';

const printed: unknown[] = [];
vi.spyOn(process.stderr, 'write').mockImplementation((line) => printed.push(line) > 0);
afterEach(() => void printed.splice(0));

it.each([
  ['an aim that is missed', { aims: [atMost('Answer', 151, 150, 'ms')] }],
  ['an aim that was not measured', { aims: [atLeast('Polls', Number.NaN, 2, '×')] }],
  ['a violation', { aims: [atMost('Answer', 150, 150, 'ms')], violations: ['a change was lost'] }],
])('fails for %s', (_what, result) => {
  expect(judge(result)).toBe(false);
});

it('passes without any, and says what was missed', () => {
  expect(judge({ aims: [atMost('Answer', 150, 150, 'ms')], violations: [] })).toBe(true);
  expect(printed).toEqual([]);
  judge({ aims: [atMost('Answer', 151, 150, 'ms')] });
  expect(printed).toEqual(['Missed: Answer: 151 ms, aim at most 150\n']);
});
