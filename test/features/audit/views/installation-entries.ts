import type { AuditEvent } from '../../../../src/audit-log/entry.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';

const bare = {
  action: undefined,
  subjectId: undefined,
  requestPersonal: undefined,
  personal: {},
};

/** Entries about an installation, and of what an uninstall ends, as people read them. */
export const installationEntries: [AuditEvent, Partial<AuditRecord>, string][] = [
  [
    'erased',
    { ...bare, actor: undefined, facts: { entries: ['9', '12'], reason: 'uninstalled' } },
    'Belay *erased the personal text* of entries 9, 12: Belay was uninstalled',
  ],
  ['installed', { ...bare, actor: 'U0CLEO' }, '<@U0CLEO> *installed Belay* in this workspace'],
  [
    'reinstalled',
    { ...bare, actor: 'U0CLEO' },
    '<@U0CLEO> *installed Belay again*; settings are unchanged',
  ],
  [
    'uninstalled',
    { ...bare, actor: undefined },
    'Belay was *uninstalled* from this workspace. Its settings, requests, watches, mutes, digests and restore drills were deleted',
  ],
  [
    'voided',
    {
      requestPersonal: undefined,
      personal: {},
      actor: undefined,
      facts: { reason: 'uninstalled' },
    },
    'Belay *voided* the request to disable user `42`: Belay was uninstalled',
  ],
];
