import { expect, it } from 'vitest';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import { auditListMessage } from '../../../src/features/audit/audit-list-message.ts';
import type { AuditRecord } from '../../../src/features/audit/audit-store.ts';
import { logEvents } from '../../../src/features/audit/event-words.ts';
import { hostileTexts } from '../hostile-texts.ts';

const record: AuditRecord = {
  seq: 7,
  at: new Date('2026-11-21T12:00:00Z'),
  event: 'denied',
  actor: 'U0BEN',
  action: 'users.disable',
  subjectId: '42',
  facts: {},
  personal: { reason: 'Still\nhere' },
  isErased: false,
  summary: 'Disable *Kim &amp; Lee*',
};

function lineOf(changes: Partial<AuditRecord>): string {
  const records = [{ ...record, ...changes }];
  const [, line = ''] = auditListMessage({ records, page: {}, hasOlder: false }).text.split('\n');
  return line.replace(/<!date[^>]*>/, 'then');
}

it.each<[Partial<AuditRecord>, string]>([
  [{}, '7. then · <@U0BEN> *denied* · Disable Kim &amp; Lee (user `42`) · “Still here”'],
  [
    { actor: undefined, event: 'succeeded', personal: { outcome: 'Kim is disabled.' } },
    '7. then · Belay *done* · Disable Kim &amp; Lee (user `42`) · “Kim is disabled.”',
  ],
  [
    { summary: undefined, personal: {}, isErased: true },
    '7. then · <@U0BEN> *denied* · users.disable (user `42`) · _personal text erased_',
  ],
  [
    {
      event: 'settings_changed',
      summary: undefined,
      personal: {},
      action: undefined,
      subjectId: undefined,
    },
    '7. then · <@U0BEN> *changed the settings*',
  ],
  [
    {
      ...{ event: 'settings_changed', action: undefined, subjectId: undefined },
      ...{ summary: undefined, personal: {} },
      facts: {
        ...{ deleteGraceMinutesBefore: 30, deleteGraceMinutesAfter: 0 },
        ...{ usersPerHourBefore: 10, usersPerHourAfter: 200 },
        ...{ approvalsChannelAfter: 'C0APPROVE2', tokenOwnerChanged: true },
      },
    },
    '7. then · <@U0BEN> *changed the settings* · grace before a delete 30 min → 0 min · users an hour 10 → 200 · approvals channel where it is asked → <#C0APPROVE2> · whose token it is',
  ],
  [
    {
      ...{ event: 'approvers_changed', action: undefined, subjectId: undefined },
      ...{ summary: undefined, personal: {} },
      facts: { before: [], after: ['U1', 'U2'], adminsDecide: false },
    },
    '7. then · <@U0BEN> *changed the approvers* · the admins → <@U1>, <@U2>',
  ],
])('tells when, who, what, about whom and why: %#', (changes, line) => {
  expect(lineOf(changes)).toBe(line);
});

it.each(Object.entries(hostileTexts))('Slack takes a page full of %s text', (_, text) => {
  const records = logEvents.slice(0, 10).map(
    (event): AuditRecord => ({
      ...record,
      event,
      action: text,
      subjectId: text,
      personal: { reason: text, summary: text },
      isErased: true,
    }),
  );
  const page = { user: text.slice(0, 200), by: 'U1', event: 'denied' as const };
  const shown = auditListMessage({ records, page, hasOlder: true });
  expect(validateMessage(shown.blocks ?? [])).toEqual([]);
  expect(shown.text).not.toMatch(/<!channel>|<@U0BEN> <https/);
});
