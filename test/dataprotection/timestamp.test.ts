import { expect, it } from 'vitest';
import { parseTimestamp } from '../../src/dataprotection/timestamp.ts';

it.each([
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
  ['2026-03-01T10:00:00.123456789+02:00', '2026-03-01T08:00:00.123Z'],
  ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
])('parses %s', (text, expected) => {
  expect(parseTimestamp(text)?.toISOString()).toBe(expected);
});

it.each(['1', 'u', '', '2026-03-01', '2026-13-01T00:00:00Z', undefined])('refuses %j', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});
