import { expect, test } from 'vitest';
import { changesIn, comparePosted } from '../../../bench/policy-watches/compare-posted.ts';

const own =
  ':eyes: *Policy changed outside Belay* · *change-0001*\n⚪ *Neutral* · Name: change-0000 → change-0001';
const summary =
  ':eyes: *3 policy changes outside Belay · 1 weakens protection*\n• change-0000 · Weaker\n• change-0001 · Name: policy-7 → change-0001\n• 1 more';
const names = ['change-0000', 'change-0001', 'change-0002'];
const readings = new Map(names.map((name) => [name, names]));

test('a message reports its change once, and a summary reports all changes of its reading', () => {
  expect(changesIn(own, readings)).toEqual(['change-0001']);
  expect(changesIn(summary, readings)).toEqual(names);
  expect(changesIn(`${summary}\n• change-0000 again`, readings)).toHaveLength(4);
  expect(changesIn(summary.replace('3 policy', '4 policy'), readings)).toEqual(names.slice(0, 2));
});

test('a change that is not posted, posted twice or never made is a violation', () => {
  const posted = ['change-0001', 'change-0001', 'change-0007'];
  expect(comparePosted({ changeCount: 2, posted, unrecorded: [] })).toEqual({
    missed: 1,
    copies: 1,
    violations: [
      'change-0000 was not posted',
      'change-0001 was posted 2 times',
      'change-0007 was posted but never made',
    ],
  });
});

test('a copy is allowed for a message that a killed process did not record', () => {
  const posted = ['change-0000', 'change-0000', 'change-0000'];
  const compare = (unrecorded: string[]) =>
    comparePosted({ changeCount: 1, posted, unrecorded }).violations;
  expect(compare(['change-0000', 'change-0000'])).toEqual([]);
  expect(compare(['change-0000'])).toEqual(['change-0000 was posted 3 times']);
});
