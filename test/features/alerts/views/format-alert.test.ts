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
  ['enc_key_inaccessible', 'encryption key inaccessible'],
  ['to_string_constructor', 'to string constructor'],
  ['constructor', 'constructor'],
  ['Two policies match', 'Two policies match'],
  ['weird__id', 'weird__id'],
  ['', ''],
])('turns %j into words', (identifier, words) => {
  expect(humanize(identifier)).toBe(words);
});

it("names a type by its identifier, and the cause in the service's words", () => {
  const details = { type: 'Restore failed', cause: undefined, otherFields: {} };
  const alert = { id: '1', type: 'x', cause: 'no_space', details, otherFields: {} };
  expect(problemOf(alert)).toBe('X: No space');
  expect(problemOf({ ...alert, type: undefined })).toBe('Restore failed: No space');
  const worded = { ...details, cause: 'The disk is full' };
  expect(problemOf({ ...alert, details: worded })).toBe('X: The disk is full');
});

it('has texts for missing fields', () => {
  const alert = { id: '1', otherFields: {} };
  expect(problemOf(alert)).toBe('Unknown problem');
  expect(severityOf(alert)).toBe('No severity');
  expect(nameOf(undefined)).toBe('Unnamed resource');
});
