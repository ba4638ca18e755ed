import { expect, test } from 'vitest';
import { externalChangeMessage } from '../../../src/features/policy-watches/views/change-message.ts';

test.each([
  [1, false],
  [200, true],
])('a message about %i changes says whether it shows all: cut %s', (count, isCut) => {
  const changes = Array.from({ length: count }, (_, index) => ({
    place: `Schedule ${index + 1}`,
    label: 'Retention',
    weight: 'weaker' as const,
    before: 'x'.repeat(200),
    after: 'y'.repeat(200),
  }));
  const change = { policyId: 'p-1', name: 'Gold', kind: 'changed' as const, changes };
  const shown = JSON.stringify(externalChangeMessage(change).blocks);
  expect(shown.includes('This message is too short for all changes.')).toBe(isCut);
});
