import { expect, it } from 'vitest';
import { mergeReplies } from '../../src/outbox/merge-replies.ts';
import { type Message, notice } from '../../src/slack/ui/blocks.ts';
import { limits } from '../../src/slack/ui/limits.ts';

const merged = (texts: string[]) =>
  texts.map(notice).reduce((waiting: Message, next) => mergeReplies(waiting, next));

it('says one thing after the other', () => {
  expect(merged(['one', 'two'])).toEqual({
    text: 'one\ntwo',
    blocks: [...(notice('one').blocks ?? []), ...(notice('two').blocks ?? [])],
  });
});

it('keeps what came last when it becomes more than a message holds', () => {
  const long = 'x'.repeat(400);
  const texts = Array.from({ length: 100 }, (_, index) => `${index} ${long}`);
  const { text, blocks = [] } = merged(texts);
  expect(text.length).toBeLessThanOrEqual(limits.messageText);
  expect(text).toMatch(/^\d+ x/);
  expect(text.endsWith(`99 ${long}`)).toBe(true);
  expect(blocks).toHaveLength(20);
  expect(JSON.stringify(blocks.at(-1))).toContain('99 x');
});

it('keeps one that is long itself', () => {
  const text = 'x'.repeat(4000);
  expect(merged(['one', text]).text).toBe(text);
});
