import { expect, it } from 'vitest';
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

it("prefers the service's description", () => {
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
