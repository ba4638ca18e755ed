import { expect, test } from 'vitest';
import { formatDifference } from '../../../../src/features/policies/views/format-difference.ts';

test('a long value is shown from its first visible character on', () => {
  const place = 'Policy';
  const [, line] = formatDifference([
    {
      ...{ place, label: 'Field note', weight: 'weaker' },
      ...{ before: `${' '.repeat(1000)}keep`, after: 'x'.repeat(1_000_000) },
    },
  ]);
  expect(line).toBe(`🔻 *Weaker* · Policy · Field note: keep → ${'x'.repeat(299)}…`);
});
