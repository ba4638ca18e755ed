import { expect, it } from 'vitest';
import { refusals, stopReasons } from '../../../../src/audit-log/registry.ts';
import { formatReason } from '../../../../src/features/audit/views/format-entry.ts';

it('renders every reason', () => {
  for (const reasons of [refusals, stopReasons]) {
    for (const [id, text] of Object.entries(reasons)) expect(formatReason(id, reasons)).toBe(text);
  }
});

it('spells each id in snake case', () => {
  for (const id of [refusals, stopReasons].flatMap((reasons) => Object.keys(reasons))) {
    expect(id).toMatch(/^[a-z]+(_[a-z]+)*$/);
  }
});

it('shows an unknown event of a newer version by its id, without punctuation', () => {
  expect(formatReason('some_new-reason', refusals)).toBe('some new reason');
  expect(formatReason('constructor', refusals)).toBe('constructor');
  expect(formatReason('', refusals)).toBeUndefined();
  expect(formatReason(7, refusals)).toBeUndefined();
});
