import { expect, it } from 'vitest';
import type { AuditEvent } from '../../../../src/audit-log/entry.ts';
import { logEvents } from '../../../../src/features/audit/event-names.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';
import { auditListMessage } from '../../../../src/features/audit/views/audit-list-message.ts';
import { alertEntries, alertText, ofAlert } from './alert-entries.ts';
import { installationEntries } from './installation-entries.ts';
import { listOf, record } from './sample-record.ts';
import { setupEntries } from './setup-entries.ts';

function lineOf(records: AuditRecord[]): string {
  const [, line = ''] = auditListMessage(listOf(records)).text.split('\n');
  return line.replace(/<!date[^>]*>/, 'then');
}

const ofSetup = {
  action: undefined,
  subjectId: undefined,
  requestPersonal: undefined,
  personal: {},
};
const asked = { requestPersonal: undefined, personal: {} };
const byBelay = { actor: undefined, personal: {} };
const deletion = {
  action: 'users.delete',
  requestPersonal: {
    summary: 'delete *Joana* (`joana@x.example`)',
    subject: 'Joana (joana@x.example)',
  },
};
const kim = 'Kim &amp; Lee';
const joana = 'Joana (joana@x.example)';

/** Entries of each event. */
const entries: [AuditEvent, Partial<AuditRecord>, string][] = [
  ...alertEntries,
  ...installationEntries,
  ['requested', {}, `<@U0BEN> *requested approval* to disable ${kim} · user \`42\` · “Still here”`],
  [
    'requested',
    { ...asked, facts: { submittedBy: 'U0ANA' } },
    '<@U0BEN> *requested approval* to disable user `42`, submitted from the command line by <@U0ANA>',
  ],
  ['not_posted', byBelay, `Belay *couldn't post* the request to disable ${kim} · user \`42\``],
  ['approved', asked, '<@U0BEN> *approved* the request to disable user `42`'],
  [
    'approved',
    { ...asked, facts: { standsInFor: 'U0CLEO' } },
    '<@U0BEN>, standing in for <@U0CLEO>, *approved* the request to disable user `42`',
  ],
  ['denied', {}, `<@U0BEN> *denied* the request to disable ${kim} · user \`42\` · “Still here”`],
  [
    'denied',
    { ...asked, isErased: true },
    '<@U0BEN> *denied* the request to disable user `42` · _personal text erased_',
  ],
  [
    'requested',
    { ...asked, facts: { breakGlass: true } },
    '<@U0BEN> *used break-glass* to disable user `42`',
  ],
  ['break_glass', asked, '<@U0BEN> *started disabling* user `42` *without approval*'],
  ['reviewed', asked, '<@U0BEN> *reviewed the break-glass run* to disable user `42`'],
  ['withdrawn', asked, '<@U0BEN> *withdrew* the request to disable user `42`'],
  ['expired', byBelay, `The request to disable ${kim} *expired* · user \`42\``],
  [
    'voided',
    { personal: {}, facts: { reason: 'connection_replaced' } },
    `<@U0BEN> *voided* the request to disable ${kim}: the connection was changed · user \`42\``,
  ],
  [
    'voided',
    {
      actor: undefined,
      personal: { outcome: 'Name was *A &amp; B*.' },
      facts: { reason: 'subject_not_found' },
    },
    `Belay *voided* the request to disable ${kim} · user \`42\` · Name was *A &amp; B*.`,
  ],
  [
    'requested',
    { action: 'policies.replace', subjectId: 'p-1', personal: { subject: 'p-1' } },
    '<@U0BEN> *requested approval* to change unnamed policy `p-1`',
  ],
  [
    'requested',
    { action: 'policies.create', subjectId: 'Gold', personal: { subject: 'Gold' } },
    '<@U0BEN> *requested approval* to create policy Gold',
  ],
  [
    'refused',
    { ...asked, facts: { attempted: 'request', reason: 'requester_is_subject' } },
    "Belay *refused* <@U0BEN>'s attempt to request approval to disable user `42`: the user is, or may be, the requester",
  ],
  [
    'refused',
    {
      ...asked,
      action: 'users.invite',
      subjectId: undefined,
      facts: { attempted: 'request', reason: 'no_approver' },
    },
    "Belay *refused* <@U0BEN>'s attempt to request approval to invite a user: nobody else could approve the request",
  ],
  [
    'refused',
    { personal: {}, facts: { attempted: 'approved', reason: 'own_request' } },
    `Belay *refused* <@U0BEN>'s attempt to approve the request to disable ${kim}: requesters can't decide their own requests · user \`42\``,
  ],
  [
    'refused',
    { ...deletion, personal: {}, facts: { attempted: 'cancel', reason: 'already_due' } },
    `Belay *refused* <@U0BEN>'s attempt to cancel the deletion of ${joana}: the deletion was already due`,
  ],
  [
    'refused',
    { ...ofSetup, facts: { attempted: 'denied', reason: 'request_not_found' } },
    "Belay *refused* <@U0BEN>'s attempt to deny a request: the request no longer exists",
  ],
  [
    'refused',
    { ...ofAlert, personal: {}, facts: { reason: 'not_approver_or_admin' } },
    "Belay *refused* <@U0BEN>'s attempt to clear the alert `a1`: only approvers and admins can do this",
  ],
  [
    'refused',
    { ...ofSetup, facts: { attempted: 'use', reason: 'guest', times: 4 } },
    "Belay *refused* <@U0BEN>'s attempt to use Belay (4 times in a day): guest accounts can't use Belay",
  ],
  [
    'refused',
    {
      ...ofSetup,
      facts: { attempted: 'use', used: '/belay setup', reason: 'right_missing' },
    },
    "Belay *refused* <@U0BEN>'s attempt to use `/belay setup`: this person doesn't have the right to do this",
  ],
  [
    'refused',
    { ...ofSetup, facts: { reason: 'of_later' } },
    "Belay *refused* <@U0BEN>'s attempt to do something: of later",
  ],
  [
    'started',
    { ...byBelay, facts: { step: 'disable', attempt: 1 } },
    `Belay *started disabling* ${kim} · user \`42\``,
  ],
  [
    'started',
    { ...byBelay, ...deletion, facts: { step: 'disable', attempt: 2 } },
    `Belay *started disabling* ${joana}, attempt 2`,
  ],
  [
    'started',
    { ...ofAlert, personal: alertText },
    '<@U0BEN> *started clearing* the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'started',
    { ...byBelay, ...deletion, facts: { step: 'cancel' } },
    `Belay *started canceling the deletion of* ${joana}`,
  ],
  [
    'accepted',
    {
      ...byBelay,
      action: 'volumes.restore',
      personal: { subject: 'orders-db' },
      subjectId: 'v1',
      facts: { step: 'restore', task: '12' },
    },
    'The service *accepted restoring* volume orders-db as task `12` · volume `v1`',
  ],
  [
    'abort_requested',
    {
      actor: 'U0BEN',
      action: 'volumes.restore',
      personal: { subject: 'orders-db' },
      subjectId: 'v1',
      facts: { step: 'restore' },
    },
    '<@U0BEN> *asked the service to stop restoring* volume orders-db · volume `v1`',
  ],
  [
    'postponed',
    { ...byBelay, facts: { step: 'disable', reason: 'busy' } },
    `Belay *postponed disabling* ${kim}: another change was in progress · user \`42\``,
  ],
  [
    'scheduled',
    { ...byBelay, ...deletion, facts: { step: 'delete' } },
    `Belay *disabled* ${joana} and *scheduled the deletion*`,
  ],
  [
    'scheduled',
    { ...byBelay, ...deletion, facts: { step: 'delete', reason: 'overdue' } },
    `Belay *scheduled the deletion* of ${joana} *again*: Belay wasn't running when the step was due`,
  ],
  [
    'scheduled',
    { ...byBelay, ...deletion, facts: { step: 'delete', reason: 'not_needed' } },
    `Belay *scheduled the deletion* of ${joana}, who was already disabled: no change was needed`,
  ],
  [
    'scheduled',
    { ...byBelay, action: 'users.invite', facts: { step: 'invite' } },
    `Belay *scheduled inviting* ${kim} · user \`42\``,
  ],
  [
    'scheduled',
    { ...byBelay, action: 'users.invite', facts: { step: 'invite', reason: 'overdue' } },
    `Belay *scheduled inviting* ${kim} *again*: Belay wasn't running when the step was due · user \`42\``,
  ],
  ['completed', byBelay, `Belay *disabled* ${kim} · user \`42\``],
  [
    'completed',
    { ...byBelay, facts: { step: 'disable', reason: 'not_needed' } },
    `Belay *didn't need to disable* ${kim}: no change was needed · user \`42\``,
  ],
  [
    'completed',
    {
      ...byBelay,
      action: 'users.enable',
      requestPersonal: { summary: 're-enable *Kim*', subject: 'Kim' },
    },
    'Belay *re-enabled* Kim · user `42`',
  ],
  [
    'completed',
    {
      ...byBelay,
      action: 'users.rename',
      requestPersonal: {
        summary: 'rename *Kim* to *Kim Park*',
        subject: 'Kim',
        newName: 'Kim Park',
      },
    },
    'Belay *renamed* Kim to Kim Park · user `42`',
  ],
  [
    'completed',
    {
      ...byBelay,
      action: 'policies.archive',
      requestPersonal: { summary: 'archive *Gold*', subject: 'Gold' },
      subjectId: undefined,
    },
    'Belay *ran* the request to archive Gold',
  ],
  [
    'cancellation_requested',
    { ...deletion, personal: {} },
    `<@U0BEN> *requested cancellation* of the deletion of ${joana}`,
  ],
  [
    'canceled',
    { ...byBelay, ...deletion, facts: { step: 'cancel' } },
    `Belay *canceled the deletion* of ${joana}`,
  ],
  [
    'failed',
    { ...byBelay, facts: { step: 'disable', reason: 'requester_not_member' } },
    `Belay *couldn't disable* ${kim}: the requester is no longer a full member of the workspace · user \`42\``,
  ],
  [
    'failed',
    { ...byBelay, ...deletion, facts: { step: 'cancel' } },
    `Belay stopped the deletion of ${joana} but *couldn't finish the cancellation*`,
  ],
  [
    'outcome_unknown',
    { ...byBelay, facts: { step: 'disable', reason: 'interrupted' } },
    `*Unknown outcome*: Belay may have disabled ${kim}: Belay was interrupted · user \`42\``,
  ],
  [
    'outcome_unknown',
    { ...byBelay, facts: { step: 'disable', reason: 'gave_up' } },
    `*Unknown outcome*: Belay may have disabled ${kim}: Belay stopped checking · user \`42\``,
  ],
  ...setupEntries,
  [
    'erased',
    { ...ofSetup, actor: undefined, facts: { entries: ['9', '12'] } },
    'A Belay administrator *erased the personal text* of entries 9, 12',
  ],
  [
    'erased',
    { ...ofSetup, actor: 'U0OPS', facts: { entries: ['9'] } },
    '<@U0OPS> *erased the personal text* of entry 9',
  ],
  [
    'key_changed',
    { ...ofSetup, actor: undefined, personal: { by: 'Rita Sousa' } },
    'Rita Sousa *changed the key* that signs the audit log',
  ],
];
it.each(entries)('renders %s as a sentence: %#', (event, changes, line) => {
  expect(lineOf([{ ...record, event, ...changes }])).toBe(`7. then · ${line}`);
});

it('has an entry for every event', () => {
  expect([...new Set(entries.map(([event]) => event))].sort()).toEqual(logEvents.toSorted());
});
