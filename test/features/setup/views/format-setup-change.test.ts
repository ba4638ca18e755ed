import { expect, test } from 'vitest';
import { changeLines } from '../../../../src/features/setup/views/format-setup-change.ts';
import { sampleChange } from '../sample-change.ts';

function regionLine(before: string, after: string): string | undefined {
  const change = sampleChange();
  const lines = changeLines({
    ...change,
    before: { ...change.before, regionId: 'us-west-2', regionLabel: before },
    after: { ...change.after, regionId: 'us-east-1', regionLabel: after },
  });
  return lines.find((line) => line.startsWith('*Region*'));
}

test('a changed region shows labels, with ids where both have the same label', () => {
  expect(regionLine('US West', 'US East')).toBe('*Region*: US West → US East');
  expect(regionLine('US', 'US')).toBe('*Region*: US (us-west-2) → US (us-east-1)');
});
