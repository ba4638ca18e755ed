import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBacklog } from '../../../bench/simulate/model/backlog.ts';
import { createHistogram } from '../../../bench/simulate/model/histogram.ts';

test('takes what is due, oldest first, each once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ wait: fc.nat(5), count: fc.nat(20), take: fc.nat(15) })),
      (steps) => {
        const backlog = createBacklog();
        let [now, added, taken, last] = [0, 0, 0, 0];
        for (const { wait, count, take } of steps) {
          now += wait;
          backlog.add(now, count);
          added += count;
          taken += backlog.take(take, now, (_, dueAt) => {
            expect(dueAt).toBeGreaterThanOrEqual(last);
            last = dueAt;
          });
          expect(backlog.due(now)).toBe(added - taken);
        }
      },
    ),
  );
});

test('what is due later is left', () => {
  const backlog = createBacklog();
  backlog.add(1, 5);
  backlog.add(3, 5);
  expect(backlog.take(100, 2)).toBe(5);
  expect(backlog.due(2)).toBe(0);
  expect(backlog.due(3)).toBe(5);
});

test('percentiles count how much was late, not how often', () => {
  const histogram = createHistogram(1);
  histogram.add(2, 98);
  histogram.add(9.5, 2);
  expect(histogram.count()).toBe(100);
  expect(histogram.percentile(0.5)).toBe(2);
  expect(histogram.percentile(0.99)).toBe(10);
  expect(createHistogram(1).percentile(0.5)).toBeNaN();
});
