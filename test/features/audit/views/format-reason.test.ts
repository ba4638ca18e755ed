import { expect, it } from 'vitest';
import { refusals, stopReasons } from '../../../../src/audit-log/registry.ts';
import { formatReason } from '../../../../src/features/audit/views/format-entry.ts';

it('renders every reason, including both spellings of the missing permission', () => {
  for (const reasons of [refusals, stopReasons]) {
    for (const { id, text } of Object.values(reasons)) expect(formatReason(id, reasons)).toBe(text);
  }
  expect(formatReason('not_approver', refusals)).toBe('only approvers and admins can do this');
});

it('stores no id twice', () => {
  for (const reasons of [refusals, stopReasons]) {
    const ids = Object.values(reasons).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

it('shows an unknown event of a newer version by its id, without punctuation', () => {
  expect(formatReason('some_new-reason', refusals)).toBe('some new reason');
  expect(formatReason('', refusals)).toBeUndefined();
  expect(formatReason(7, refusals)).toBeUndefined();
});
