import { expect, it } from 'vitest';
import type { DigestContents } from '../../../../src/features/digests/collect/digest-contents.ts';
import { digestMessage } from '../../../../src/features/digests/views/digest-message.ts';
import { formatCompliance } from '../../../../src/features/digests/views/format-compliance.ts';
import { formatSchedule } from '../../../../src/features/digests/views/format-settings.ts';
import { alertMadeOf } from '../../alerts/hostile-alert.ts';
import { sampleSettings } from '../store/digest-rows.ts';

it.each([
  [[1, 2, 3, 4, 5, 6, 7], 'Every day at 1:00 PM (Europe/Berlin)'],
  [[5, 1, 2, 3, 4], 'Weekdays at 1:00 PM (Europe/Berlin)'],
  [[6, 7], 'Weekends at 1:00 PM (Europe/Berlin)'],
  [[1, 3, 5], 'Mondays, Wednesdays, and Fridays at 1:00 PM (Europe/Berlin)'],
  [[3], 'Wednesdays at 1:00 PM (Europe/Berlin)'],
])('formats the weekdays %o', (weekdays, words) => {
  expect(formatSchedule({ ...sampleSettings, weekdays })).toBe(words);
});

const nothing: DigestContents = {
  newAlerts: undefined,
  openAlerts: undefined,
  clearedAlerts: undefined,
  compliance: undefined,
  changedPolicies: undefined,
  pendingRequestCount: undefined,
  tokenExpiresAt: undefined,
};

function textOf(contents: Partial<DigestContents>): string {
  const now = new Date('2026-03-06T08:00:00Z');
  const view = { settings: sampleSettings, since: now, now, channelId: 'C1' };
  return digestMessage({ ...view, contents: { ...nothing, ...contents } }).text;
}

it.each([
  ['2026-03-20T08:00:00Z', ':warning: *API token* · expires '],
  ['2026-03-07T09:00:00Z', ':warning: *API token* · expires '],
  ['2026-03-06T09:00:00Z', ':warning: *API token* · expires '],
  ['2026-03-06T08:00:00Z', ':warning: *API token* · expired '],
])('warns of a token that expires at %s', (end, words) => {
  expect(textOf({ tokenExpiresAt: new Date(end) })).toContain(words);
});

it('uses the singular for one', () => {
  const read = { result: 'read' as const, readings: [], failedCount: 0, incomparableCount: 0 };
  const news = { ...read, changes: [], hasBaseline: true };
  expect(formatCompliance({ ...news, unreadCount: 1 })).toContain('1 policy not checked');
  expect(formatCompliance({ ...news, unreadCount: 2 })).toContain('2 policies not checked');
  expect(formatCompliance({ ...news, unreadCount: 1 })).toBe(
    '*Compliance* · No percentage available · 1 policy not checked · unchanged',
  );
  const failed = { ...news, failedCount: 2, unreadCount: 1 };
  expect(formatCompliance(failed)).toMatch(/ · 2 policies unavailable · 1 policy not checked$/);
  const alerts = ['a', 'b', 'c', 'd'].map((severity) => ({ ...alertMadeOf('x'), severity }));
  const [, lead] = textOf({ newAlerts: { alerts, stopped: undefined } }).split('\n');
  expect(lead).toBe('4 new alerts (1 a, 1 b, 1 c, 1 other severity)');
  expect(textOf({})).not.toContain('\n');
});
