import { expect, it } from 'vitest';
import { parseTimestamp } from '../../../../src/dataprotection/timestamp.ts';
import {
  humanize,
  nameOf,
  problemOf,
  severityOf,
} from '../../../../src/features/alerts/views/format-alert.ts';

it.each([
  ['aws_ebs_volume', 'AWS EBS volume'],
  ['vmware_vm', 'VMware VM'],
  ['to_string_constructor', 'to string constructor'],
  ['constructor', 'constructor'],
  ['Two policies match', 'Two policies match'],
  ['weird__id', 'weird__id'],
  ['', ''],
])('turns %j into words', (identifier, words) => {
  expect(humanize(identifier)).toBe(words);
});

it("prefers the service's own words", () => {
  const details = { type: 'Restore failed', cause: undefined, otherFields: {} };
  const alert = { id: '1', type: 'x', cause: 'no_space', details, otherFields: {} };
  expect(problemOf(alert)).toBe('Restore failed: No space');
});

it('has texts for missing fields', () => {
  const alert = { id: '1', otherFields: {} };
  expect(problemOf(alert)).toBe('The service does not say what happened');
  expect(severityOf(alert)).toBe('Severity not given');
  expect(nameOf(undefined)).toBe('Something the service does not name');
});

it('reads ISO 8601 timestamps only', () => {
  expect(parseTimestamp('2026-03-01T10:00:00.123456789+02:00')?.getTime()).toBe(
    Date.UTC(2026, 2, 1, 8, 0, 0, 123),
  );
  for (const text of ['1', 'u', '2026-03-01', '2026-13-01T00:00:00Z', undefined]) {
    expect(parseTimestamp(text)).toBeUndefined();
  }
});
