import { addMilliseconds } from 'date-fns/addMilliseconds';
import { expect, it } from 'vitest';
import { chooseCounted, mergeReplies } from '../../../src/postings/outbox/merge.ts';
import { type Message, message, notice, section } from '../../../src/slack/ui/blocks.ts';
import { limits } from '../../../src/slack/ui/limits.ts';

const noon = new Date('2026-03-01T12:00:00Z');
const none = { waiting: new Map<string, number>(), overflowedAt: new Map<string, Date>() };

/** `count` messages of a group, or of none. */
function fresh(count: number, key?: string) {
  const group = key === undefined ? undefined : { key, title: key, facet: 'error' };
  return Array.from({ length: count }, (_, index) => ({
    subject: `${key} ${index}`,
    message: { text: 'new' },
    group,
  }));
}

function choose(of: ReturnType<typeof fresh>, crowding: Partial<typeof none>, at = noon) {
  const { counted, overflowed } = chooseCounted(of, { ...none, ...crowding }, at);
  return [counted.size, [...overflowed]];
}

it('counts messages above the limit, including waiting messages', () => {
  expect(choose(fresh(10, 'w'), {})).toEqual([0, []]);
  expect(choose(fresh(12, 'w'), {})).toEqual([2, ['w']]);
  expect(choose(fresh(2, 'w'), { waiting: new Map([['w', 8]]) })).toEqual([0, []]);
  expect(choose(fresh(3, 'w'), { waiting: new Map([['w', 12]]) })).toEqual([3, ['w']]);
});

it('counts each group separately, and no message without a group', () => {
  const mixed = [...fresh(11, 'w'), ...fresh(10, 'x'), ...fresh(50)];
  const { counted, overflowed } = chooseCounted(mixed, none, noon);
  expect([...counted].map(({ subject }) => subject)).toEqual(['w 10']);
  expect([...overflowed]).toEqual(['w']);
});

it('counts everything within half a minute of an overflow', () => {
  const overflowedAt = new Map([['w', noon]]);
  const after = (ms: number, count: number) =>
    choose(fresh(count, 'w'), { overflowedAt }, addMilliseconds(noon, ms));
  expect(after(30_000, 1)).toEqual([1, []]);
  expect(after(30_001, 1)).toEqual([0, []]);
  // With a live summary, either all messages are counted or none.
  expect(after(30_001, 11)).toEqual([11, ['w']]);
  // The clock was set back.
  expect(after(-3_600_000, 1)).toEqual([0, []]);
});

const merged = (texts: string[]) =>
  texts.map(notice).reduce((waiting: Message, next) => mergeReplies(waiting, next));

it('merges replies in order', () => {
  expect(merged(['one', 'two'])).toEqual({
    text: 'one\ntwo',
    blocks: [...(notice('one').blocks ?? []), ...(notice('two').blocks ?? [])],
  });
});

it('preserves the latest lines if not all fit in a message', () => {
  const long = 'x'.repeat(400);
  const texts = Array.from({ length: 100 }, (_, index) => `${index} ${long}`);
  const { text, blocks = [] } = merged(texts);
  expect(text.length).toBeLessThanOrEqual(limits.messageText);
  expect(text).toMatch(/^\d+ x/);
  expect(text.endsWith(`99 ${long}`)).toBe(true);
  expect(blocks).toHaveLength(20);
  expect(JSON.stringify(blocks.at(-1))).toContain('99 x');
});

it('does not drop a single line that is too long', () => {
  const text = 'x'.repeat(4000);
  const long = message([section(text)], text);
  expect(mergeReplies(notice('one'), long).text).toBe(text);
});
