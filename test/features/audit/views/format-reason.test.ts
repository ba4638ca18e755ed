import { expect, it } from 'vitest';
import { refusals, stopReasons } from '../../../../src/audit-log/registry.ts';
import { formatReason } from '../../../../src/features/audit/views/format-entry.ts';

it('renders every reason', () => {
  for (const reasons of [refusals, stopReasons]) {
    for (const { id, text } of Object.values(reasons)) expect(formatReason(id, reasons)).toBe(text);
  }
});

it('spells each reason one way, by its name', () => {
  for (const reasons of [refusals, stopReasons]) {
    for (const [name, { id }] of Object.entries(reasons)) {
      expect(id).toBe(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    }
  }
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
