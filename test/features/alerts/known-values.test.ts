import { expect, it } from 'vitest';
import { createSeenValues, defaultValues } from '../../../src/features/alerts/known-values.ts';

it('learns what a service says, for the team that was shown it', () => {
  const seen = createSeenValues();
  const alert = { id: '1', severity: 'notice', type: 'quota_exhausted', otherFields: {} };
  seen.note('T1', [alert, alert, { id: '2', otherFields: {} }]);
  expect(seen.of('T1').severities).toEqual(['error', 'warning', 'notice']);
  expect(seen.of('T1').types.at(-1)).toBe('quota_exhausted');
  expect(seen.of('T2')).toEqual(defaultValues);
});

it('learns nothing that no menu could hold, and not without end', () => {
  const seen = createSeenValues();
  const odd = ['<!channel>', '', 'two words', 'a,b', 'x'.repeat(31)];
  const many = Array.from({ length: 500 }, (_, index) => `type_${index}`);
  for (const type of odd) seen.note('T1', [{ id: '1', type, otherFields: {} }]);
  expect(seen.of('T1')).toEqual(defaultValues);
  for (const type of many) seen.note('T1', [{ id: '1', type, otherFields: {} }]);
  expect(seen.of('T1').types).toHaveLength(40);
});
