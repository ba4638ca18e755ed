import type { Region } from '../../../src/dataprotection/region.ts';
import { announcementMessage } from '../../../src/features/setup/views/announcement-message.ts';
import { confirmModal } from '../../../src/features/setup/views/confirm-modal.ts';
import {
  aboutAdminModal,
  requestedModal,
  savedModal,
} from '../../../src/features/setup/views/saved-modal.ts';
import { refusedSetupModal, setupModal } from '../../../src/features/setup/views/setup-modal.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { sampleChange } from './sample-change.ts';

const at = new Date('2026-11-21T12:00:00Z');

/** Every message and modal of setup, with `text` wherever people or the service can put text. */
export function everySetupView(text: string, region: Region): Record<string, unknown[]> {
  const change = sampleChange(text);
  const form = {
    regionId: region.id,
    token: undefined,
    tokenOwner: text.slice(0, 255),
    organizationalUnitId: text.slice(0, 255),
    unitName: text,
    approvers: ['U1', 'U2'],
    approvalsChannelId: 'C1',
    deleteGraceMinutes: '30',
    usersPerHour: '10',
  };
  const units = Array.from({ length: 12 }, () => ({ id: text, name: text, otherFields: {} }));
  const named = { name: text, otherFields: {} };
  const unitLists = [
    undefined,
    [],
    units,
    [
      { id: '1', ...named },
      { id: '2', ...named },
    ],
  ];
  const metadata = { channelId: 'C1', hasStoredToken: true, isUnitChoice: false };
  const voids = Array.from({ length: 12 }, (_, index) => ({
    ...{ id: String(index), summary: safe(text), requester: 'U1' },
    isSubject: () => 'no' as const,
  }));
  return {
    setupModal: [
      setupModal({
        ...{ regions: [region], form, units: unitLists[0], metadata },
        refused: { errors: { region: text, token: text }, hadToken: true },
      }),
      ...unitLists.map((units) => setupModal({ regions: [region], form, units, metadata })),
    ],
    refusedSetupModal: [
      refusedSetupModal({ regions: [region], form, units, metadata, errors: { region: text } }),
    ],
    savedModal: (['known', 'not-named', 'not-checkable'] as const).map((owner) =>
      savedModal({
        ...{ values: change.after, tokenOwner: change.tokenOwnerBefore, units, owner },
        ...{ voidedCount: 2, isConnectionNew: true, hiddenAddresses: ['U1'], channelId: 'C1' },
      }),
    ),
    confirmModal: [
      { kind: 'save' as const, isAlone: true, isAnnounced: true, voids },
      { kind: 'save' as const, isAlone: false, isAnnounced: true, voids },
      { kind: 'save' as const, isAlone: false, isAnnounced: false, voids },
      ...(['approvers', 'admins'] as const).map((decidedBy) => ({
        kind: 'request' as const,
        secondPerson: { decidedBy, isAssumed: true },
        isSubject: true,
        voids,
      })),
    ].map((plan) => confirmModal({ change, plan, metadata: { changeId: change.changeId } })),
    aboutAdminModal: [aboutAdminModal(voids)],
    requestedModal: [requestedModal(notice(`Sent: ${safe(text)}`))],
    announcementMessage: [undefined, 'U1'].flatMap((savedBy) =>
      [undefined, 'U2'].map((approvedBy) =>
        announcementMessage({ teamId: 'T1', change, savedAt: at, savedBy, approvedBy }),
      ),
    ),
  };
}
