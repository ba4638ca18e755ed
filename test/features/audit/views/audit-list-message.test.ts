import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import type { LogEvent } from '../../../../src/audit-log/entry.ts';
import type { AuditRecord } from '../../../../src/features/audit/audit-store.ts';
import { auditListMessage } from '../../../../src/features/audit/views/audit-list-message.ts';
import { logEvents } from '../../../../src/features/audit/views/format-entry.ts';
import { hostileTexts } from '../../hostile-texts.ts';

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

const ofSetup = { action: undefined, subjectId: undefined, summary: undefined, personal: {} };
const asked = { summary: undefined, personal: {} };
const byBelay = { actor: undefined, personal: {} };
const deletion = { action: 'users.delete', summary: 'delete *Joana* (`joana@x.example`)' };
const ofAlert = { action: 'alerts.clear', subjectId: 'a1', summary: undefined };
const alertSummary = { summary: 'vm-12, Restore failed' };
const kim = 'Kim &amp; Lee';
const joana = 'Joana (joana@x.example)';

it.each<[LogEvent, Partial<AuditRecord>, string]>([
  ['requested', {}, `<@U0BEN> *asked* to disable ${kim} · user \`42\` · “Still here”`],
  ['not_posted', byBelay, `Belay *could not post* the request to disable ${kim} · user \`42\``],
  ['approved', asked, '<@U0BEN> *approved* the request to disable user `42`'],
  ['denied', {}, `<@U0BEN> *denied* the request to disable ${kim} · user \`42\` · “Still here”`],
  [
    'denied',
    { ...asked, isErased: true },
    '<@U0BEN> *denied* the request to disable user `42` · _personal text erased_',
  ],
  ['withdrawn', asked, '<@U0BEN> *withdrew* the request to disable user `42`'],
  [
    'expired',
    byBelay,
    `Nobody decided in time, so the request to disable ${kim} *expired* · user \`42\``,
  ],
  [
    'voided',
    { personal: {}, facts: { reason: 'connection_changed' } },
    `<@U0BEN> *voided* the request to disable ${kim}: the connection was changed · user \`42\``,
  ],
  [
    'voided',
    { actor: undefined, personal: { outcome: 'Name was *A &amp; B*.' }, facts: { reason: 'gone' } },
    `Belay *voided* the request to disable ${kim} · user \`42\` · Name was *A &amp; B*.`,
  ],
  [
    'refused',
    { ...asked, facts: { wish: 'request', reason: 'not about the person who asks' } },
    '<@U0BEN> *was refused* when asking to disable user `42`: it is, or may be, about the person who asks',
  ],
  [
    'refused',
    { personal: {}, facts: { wish: 'approved', reason: 'own-request' } },
    `<@U0BEN> *was refused* when approving the request to disable ${kim}: nobody decides on their own request · user \`42\``,
  ],
  [
    'refused',
    { ...deletion, personal: {}, facts: { wish: 'keep', reason: 'due' } },
    `<@U0BEN> *was refused* when keeping ${joana}: its time had come · user \`42\``,
  ],
  [
    'refused',
    { ...ofSetup, facts: { wish: 'denied', reason: 'gone' } },
    '<@U0BEN> *was refused* when denying a request: the request no longer exists',
  ],
  [
    'refused',
    { ...ofAlert, personal: {}, facts: { reason: 'not_approver' } },
    '<@U0BEN> *was refused* when clearing the alert `a1`: only approvers and admins may',
  ],
  [
    'refused',
    { ...ofSetup, facts: { reason: 'of_later' } },
    '<@U0BEN> *was refused* something: of later',
  ],
  [
    'started',
    { ...byBelay, facts: { step: 'disable', attempt: 1 } },
    `Belay *began disabling* ${kim} · user \`42\``,
  ],
  [
    'started',
    { ...byBelay, ...deletion, facts: { step: 'disable', attempt: 2 } },
    `Belay *began disabling* ${joana}, attempt 2 · user \`42\``,
  ],
  [
    'started',
    { ...ofAlert, personal: { summary: 'Clear the alert about vm-12, Restore failed' } },
    '<@U0BEN> *began clearing* the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'scheduled',
    { ...byBelay, ...deletion, facts: { step: 'delete' } },
    `Belay *waits* before deleting ${joana}, so that they can be kept · user \`42\``,
  ],
  [
    'scheduled',
    { ...byBelay, ...deletion, facts: { step: 'delete', reason: 'late' } },
    `Belay *waits again* before deleting ${joana}: it was away when the time came · user \`42\``,
  ],
  ['succeeded', byBelay, `Belay *disabled* ${kim} · user \`42\``],
  [
    'succeeded',
    { ...byBelay, action: 'users.enable', summary: 're-enable *Kim*' },
    'Belay *re-enabled* Kim · user `42`',
  ],
  [
    'succeeded',
    { ...byBelay, action: 'users.rename', summary: 'rename *Kim* to *Kim Park*' },
    'Belay *renamed* Kim to Kim Park · user `42`',
  ],
  [
    'succeeded',
    { ...byBelay, action: 'policies.replace', summary: 'replace *Gold*', subjectId: undefined },
    'Belay *carried out* the request to replace Gold',
  ],
  ['keep_asked', { ...deletion, personal: {} }, `<@U0BEN> *asked to keep* ${joana} · user \`42\``],
  [
    'kept',
    { ...byBelay, ...deletion, facts: { step: 'keep' } },
    `Belay *kept* ${joana}: the delete was stopped · user \`42\``,
  ],
  [
    'failed',
    { ...byBelay, facts: { step: 'disable', reason: 'asker' } },
    `Belay *could not disable* ${kim}: the person who asked is no longer a full member · user \`42\``,
  ],
  [
    'failed',
    { ...byBelay, ...deletion, facts: { step: 'keep' } },
    `Belay stopped the delete of ${joana}, but *could not finish keeping them* · user \`42\``,
  ],
  [
    'outcome_unknown',
    { ...byBelay, facts: { step: 'disable', reason: 'interrupted' } },
    `Belay *does not know yet* whether it disabled ${kim}: Belay was interrupted · user \`42\``,
  ],
  [
    'outcome_unknown',
    { ...byBelay, facts: { step: 'disable', reason: 'given_up' } },
    `Belay *gave up finding out* whether it disabled ${kim} · user \`42\``,
  ],
  [
    'approvers_changed',
    { ...ofSetup, facts: { before: [], after: ['U1', 'U2'], adminsDecide: false } },
    '<@U0BEN> *changed the approvers* from the admins to <@U1>, <@U2>',
  ],
  ['settings_changed', ofSetup, '<@U0BEN> *changed the settings*'],
  [
    'settings_changed',
    {
      ...ofSetup,
      facts: {
        ...{ deleteGraceMinutesBefore: 30, deleteGraceMinutesAfter: 0 },
        ...{ usersPerHourBefore: 10, usersPerHourAfter: 200 },
        ...{ approvalsChannelAfter: 'C0APPROVE2', tokenOwnerChanged: true },
      },
    },
    '<@U0BEN> *changed the settings*: the grace before a delete from 30 min to 0 min, users within an hour from 10 to 200, the approvals channel from wherever it is asked to <#C0APPROVE2>, whose token it is',
  ],
  ['connection_changed', ofSetup, '<@U0BEN> *changed the connection*'],
  [
    'alert_cleared',
    { ...ofAlert, personal: alertSummary, facts: { outcome: 'done' } },
    '<@U0BEN> *cleared* the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'alert_cleared',
    { ...ofAlert, personal: alertSummary, facts: { outcome: 'unknown' } },
    '<@U0BEN> *may have cleared* the alert about vm-12, Restore failed: the service did not confirm it · alert `a1`',
  ],
  [
    'failed',
    { ...ofAlert, personal: { summary: 'Clear the alert about vm-12, Restore failed' } },
    '<@U0BEN> *could not clear* the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'alert_noted',
    { ...ofAlert, action: 'alerts.note', personal: { ...alertSummary, note: 'Look at me' } },
    '<@U0BEN> *wrote a note* on the alert about vm-12, Restore failed · alert `a1` · “Look at me”',
  ],
  [
    'alert_noted',
    { ...ofAlert, action: 'alerts.note', personal: { ...alertSummary, note: '' } },
    '<@U0BEN> *removed the note* on the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'alert_noted',
    { ...ofAlert, action: 'alerts.note', personal: {}, isErased: true },
    '<@U0BEN> *changed the note* on the alert `a1` · _personal text erased_',
  ],
  [
    'alert_noted',
    { ...ofAlert, action: 'alerts.note', personal: {}, facts: { outcome: 'unknown' } },
    '<@U0BEN> *may have changed the note* on the alert `a1`: the service did not confirm it',
  ],
  [
    'erased',
    { ...ofSetup, actor: undefined, facts: { entries: ['9', '12'] } },
    'Belay *erased the personal text* of entries 9, 12',
  ],
])('tells %s in a sentence: %#', (event, changes, line) => {
  told.add(event);
  expect(lineOf({ event, ...changes })).toBe(`7. then · ${line}`);
});

const told = new Set<LogEvent>();

it('has tried every event', () => {
  expect([...told].sort()).toEqual([...logEvents].sort());
});

it('is one log when nothing narrows it', () => {
  const { text } = auditListMessage({ records: [record], page: {}, hasOlder: false });
  expect(text.split('\n')[0]).toBe('Decision log, newest first');
});

it('says in its title what it was narrowed to', () => {
  const page = { by: 'U1', user: 'kim', event: 'denied' as const };
  const title = (records: AuditRecord[]) =>
    auditListMessage({ records, page, hasOlder: false }).text.split('\n')[0];
  expect(title([record])).toBe(
    'Decision log: by <@U1>, about `kim`, with event `denied`, newest first',
  );
  expect(title([])).toBe(
    'The decision log has no entries by <@U1>, about `kim`, with event `denied`.',
  );
});

it.each(Object.entries(hostileTexts))('Slack takes a page full of %s text', (_, text) => {
  const records = logEvents.map(
    (event): AuditRecord => ({
      ...record,
      event,
      action: text,
      subjectId: text,
      facts: { reason: text, step: text, wish: text, entries: [text] },
      personal: event === 'failed' ? {} : { reason: text, summary: text },
      isErased: true,
    }),
  );
  const page = { user: text.slice(0, 200), by: 'U1', event: 'denied' as const };
  const shown = auditListMessage({ records, page, hasOlder: true });
  expect(validateMessage(shown.blocks ?? [])).toEqual([]);
  expect(shown.text).not.toMatch(/<!channel>|<@U0BEN> <https/);
});
