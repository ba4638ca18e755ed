import { expect, test } from 'vitest';
import { realisticSamples } from '../features/realistic-samples.ts';
import { listViews } from './list-views.ts';
import { findExcess, guides, measureViews } from './sizes.ts';

test('no view exceeds its guide without a reason', async () => {
  const sizes = measureViews(await listViews(realisticSamples()));
  expect(findExcess(sizes)).toEqual([]);
  const names = sizes.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(guides)));
});

test('finds a view with more words or buttons than its guide', () => {
  const large = { median: 91, max: 130 };
  const sizes = [
    { name: 'approvalMessage', words: large, buttons: { median: 2, max: 4 } },
    { name: 'topicMessage', words: large, buttons: { median: 1, max: 1 } },
    { name: 'unguidedModal', words: large, buttons: { median: 99, max: 99 } },
  ];
  expect(findExcess(sizes)).toEqual([
    'approvalMessage has 4 buttons, more than 3',
    'topicMessage has 130 words, more than 120',
  ]);
});
