import type { AuditEvent } from '../../../../src/audit-log/entry.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';

const ofSetup = {
  action: undefined,
  subjectId: undefined,
  requestPersonal: undefined,
  personal: {},
};

/** Changes of the setup, and the sentences about them. */
export const setupEntries: [AuditEvent, Partial<AuditRecord>, string][] = [
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
        ...{ deleteGraceMinutesBefore: 30, deleteGraceMinutesAfter: 0, tokenOwnerChanged: true },
        ...{ usersPerHourBefore: 10, usersPerHourAfter: 200, weakeningApprovalsBefore: 2 },
        ...{ weakeningApprovalsAfter: 1, approvalsChannelAfter: 'C0APPROVE2' },
      },
    },
    '<@U0BEN> *changed the settings*: deletion grace period from 30 minutes to 0 minutes, limit of users per hour from 10 to 200, approvers needed to weaken a policy from 2 to 1, approvals channel from none to <#C0APPROVE2>, token owner',
  ],
  ['connection_changed', ofSetup, '<@U0BEN> *changed the connection*'],
  [
    'connection_changed',
    { ...ofSetup, facts: { isFirst: true } },
    '<@U0BEN> *connected the workspace to the service*',
  ],
  ['token_replaced', ofSetup, '<@U0BEN> *replaced the API token* of the connection'],
  [
    'connection_changed',
    { ...ofSetup, personal: { connectionName: 'europe', connectionNameBefore: 'eu' } },
    '<@U0BEN> *changed the connection* *eu*, now named *europe*',
  ],
  [
    'connection_added',
    { ...ofSetup, personal: { connectionName: 'europe' } },
    '<@U0BEN> *added the connection* *europe*',
  ],
  ['connection_removed', ofSetup, '<@U0BEN> *removed the connection*'],
  [
    'channel_pinned',
    { ...ofSetup, facts: { channel: 'C0OPS' }, personal: { connectionName: 'europe' } },
    '<@U0BEN> *set the connection* of <#C0OPS> to *europe*',
  ],
  [
    'channel_unpinned',
    { ...ofSetup, facts: { channel: 'C0OPS' } },
    '<@U0BEN> *set the connection* of <#C0OPS> to the default',
  ],
  [
    'default_connection_changed',
    { ...ofSetup, personal: { connectionName: 'europe', connectionNameBefore: 'main' } },
    '<@U0BEN> *changed the default connection* to *europe*',
  ],
  [
    'configuration_applied',
    { ...ofSetup, facts: { added: 2, changed: 0, removed: 1 } },
    '<@U0BEN> *applied a configuration file* (watches, digests and channels: 2 added, 1 removed)',
  ],
];
