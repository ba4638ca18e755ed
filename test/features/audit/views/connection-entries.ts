import type { AuditEvent } from '../../../../src/audit-log/entry.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';

const ofSetup = {
  action: undefined,
  subjectId: undefined,
  requestPersonal: undefined,
  personal: {},
};

/** Changes of the connections, and the sentences about them. */
export const connectionEntries: [AuditEvent, Partial<AuditRecord>, string][] = [
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
    'default_connection_changed',
    { ...ofSetup, personal: { connectionName: 'europe', connectionNameBefore: 'main' } },
    '<@U0BEN> *changed the default connection* to *europe*',
  ],
];
