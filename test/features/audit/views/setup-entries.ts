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
  [
    'stand_in_named',
    {
      ...ofSetup,
      facts: { approver: 'U0BEN', standIn: 'U2', until: '2026-12-02T00:00:00.000Z' },
    },
    '<@U0BEN> *named a stand-in*: <@U2> for <@U0BEN>, until <!date^1796169540^{date_short_pretty} at {time}|2026-12-01 23:59 UTC>',
  ],
  [
    'stand_in_ended',
    { ...ofSetup, facts: { approver: 'U0CLEO', standIn: 'U2' } },
    '<@U0BEN> *ended a stand-in*: <@U2> for <@U0CLEO>',
  ],
  ['settings_changed', ofSetup, '<@U0BEN> *changed the settings*'],
  [
    'settings_changed',
    {
      ...ofSetup,
      facts: {
        deleteGraceMinutesBefore: 30,
        deleteGraceMinutesAfter: 0,
        tokenOwnerChanged: true,
        usersPerHourBefore: 10,
        usersPerHourAfter: 200,
        weakeningApprovalsBefore: 2,
        weakeningApprovalsAfter: 1,
        approvalsChannelAfter: 'C0APPROVE2',
      },
    },
    '<@U0BEN> *changed the settings*: approvals channel from none to <#C0APPROVE2>, deletion grace period from 30 minutes to none, limit of users per hour from 10 to 200, approvers needed to weaken a policy from 2 to 1, token owner',
  ],
  [
    'rule_changed',
    {
      ...ofSetup,
      facts: {
        rule: 'users.delete',
        requestersBefore: [],
        requestersAfter: ['U1', 'S1'],
        approvalsBefore: [],
        approvalsAfter: ['2 of S1', '1 of S2'],
        hoursToDecideBefore: 8,
        hoursToDecideAfter: 1,
        remindAfterMinutesAfter: 30,
      },
    },
    '<@U0BEN> *changed the rule* for “Delete a user”: requesters from every operator to <@U1> and <!subteam^S1>, approvals from the approvers to 2 of <!subteam^S1> *and* 1 of <!subteam^S2>, time to decide from 8 hours to 1 hour, first reminder from none to after 30 minutes',
  ],
  [
    'rule_changed',
    {
      ...ofSetup,
      facts: { rule: 'users.delete', breakGlassBefore: ['U1'], breakGlassAfter: [] },
    },
    '<@U0BEN> *changed the rule* for “Delete a user”: break-glass from <@U1> to nobody',
  ],
  ['rule_changed', ofSetup, '<@U0BEN> *changed the rule*'],
  [
    'protected_users_changed',
    {
      ...ofSetup,
      facts: { addressesAdded: 2, domainsRemoved: 1 },
      personal: { addressesAdded: 'a@example.com, b@example.com' },
    },
    '<@U0BEN> *changed the protected users*: added 2 addresses (a@example.com, b@example.com), removed 1 domain',
  ],
  ['protected_users_changed', ofSetup, '<@U0BEN> *changed the protected users*'],
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
    '<@U0BEN> *applied a configuration file* (watches, mutes, digests and channels: 2 added, 1 removed)',
  ],
];
