import { expect, it } from 'vitest';
import { parseAuditFilter } from '../../../src/features/audit/audit-filter.ts';

const now = new Date('2026-11-21T12:00:00Z');

it.each([
  ['', {}],
  ['by:<@U0BEN|ben>', { by: 'U0BEN', typed: 'by:@ben' }],
  ['by: <@U0BEN|ben>', { by: 'U0BEN', typed: 'by: @ben' }],
  ['user:42 event:Denied', { user: '42', event: 'denied' }],
  ['event:canceled', { event: 'canceled', typed: 'event:canceled' }],
  ['event:outcome_unknown', { event: 'outcome_unknown' }],
  ['event:"Unknown outcome"', { event: 'outcome_unknown' }],
  ['event:note-changed', { event: 'note_changed' }],
  ['user:kim@x.example', { user: 'kim@x.example' }],
  ['user:"R&amp;D"', { user: 'R&D' }],
  ['since:7d', { since: '2026-11-14T12:00:00.000Z' }],
  ['since:12H', { since: '2026-11-21T00:00:00.000Z' }],
  ['since:2w', { since: '2026-11-07T12:00:00.000Z' }],
  ['since:2026-11-01', { since: '2026-11-01T00:00:00.000Z' }],
])('reads %j', (text, page) => {
  expect(parseAuditFilter(text, now)).toMatchObject({ page });
});

it.each([
  ['denied', 'Unknown filter `denied`. Use `by:`, `user:`, `event:`, `since:`.'],
  ['event:aproved', 'Unknown event “aproved”. Did you mean `approved`?'],
  ['event:toString', 'Unknown event “toString”.'],
  ['since:soon', 'Unknown time `since:soon`. Use `2h`'],
  ['since:0d', 'Unknown time `since:0d`. Use `2h`'],
  ['since:2026-13-01', 'Unknown time `since:2026-13-01`. Use `2h`'],
  ['since:2026-11-22', 'That date is in the future.'],
  ['user:', 'Type a value right after `user:`.'],
  ['usr:1', 'Did you mean `user:`?'],
])('refuses %j', (text, problem) => {
  expect(parseAuditFilter(text, now)).toEqual({ problem: expect.stringContaining(problem) });
});

it.each([
  ['by:@kim', 'kim'],
  ['by:kim', 'kim'],
  ['by:"@Kim Lee"', 'Kim Lee'],
])('leaves the name in %j, which Slack did not turn into an id, to be looked up', (text, name) => {
  expect(parseAuditFilter(text, now)).toEqual({ page: { typed: text }, name });
});

it("interprets a date in the person's time zone", () => {
  const early = new Date('2026-11-21T01:00:00Z');
  expect(parseAuditFilter('since:2026-11-21', early, 'Europe/Berlin')).toMatchObject({
    page: { since: '2026-11-20T23:00:00.000Z' },
  });
  expect(parseAuditFilter('since:2026-11-21', early, 'America/New_York')).toEqual({
    problem: expect.stringContaining('That date is in the future.'),
  });
});
