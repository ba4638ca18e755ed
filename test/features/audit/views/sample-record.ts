import type { AuditListPage } from '../../../../src/features/audit/read-page.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';

/** A denied request to disable a user. */
export const record: AuditRecord = {
  seq: 7,
  at: new Date('2026-11-21T12:00:00Z'),
  event: 'denied',
  actor: 'U0BEN',
  action: 'users.disable',
  subjectId: '42',
  facts: {},
  personal: { reason: 'Still\nhere' },
  isErased: false,
  requestPersonal: { summary: 'disable *Kim &amp; Lee*', subject: 'Kim & Lee' },
};

/** The only page of an unfiltered list. */
export function listOf(records: AuditRecord[]): AuditListPage {
  return { records, page: {}, hasNewer: false, hasOlder: false, range: undefined };
}
