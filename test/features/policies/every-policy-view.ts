import { comparePolicies } from '../../../src/features/policies/index.ts';
import { historyMessage } from '../../../src/features/policies/views/history-message.ts';
import {
  catalogMessage,
  policyListMessage,
} from '../../../src/features/policies/views/policy-list-message.ts';
import {
  knownPolicyCard,
  policyCard,
} from '../../../src/features/policies/views/policy-message.ts';
import { revertModal } from '../../../src/features/policies/views/request-modals.ts';
import { changeListMessage } from '../../../src/features/policy-watches/views/change-list-message.ts';
import {
  externalChangeMessage,
  externalChangesMessage,
} from '../../../src/features/policy-watches/views/change-message.ts';
import { notRequestedMessage } from '../../../src/requests/views/request-fields.ts';
import { sampleNow } from '../sample-place.ts';
import type { Samples } from '../samples.ts';
import { recordedChanges } from './recorded-changes.ts';
import { smallerPolicy } from './smaller-policy.ts';

/** Every message about policies. */
export function everyPolicyView(samples: Samples): Record<string, unknown[]> {
  const rows = samples.policies.slice(0, 10).map((one) => ({
    policy: one.definition,
    reading: { outcome: 'read' as const, statistics: one.statistics },
  }));
  const page = { rows, search: '', start: 0, total: 12 };
  const found = { ...page, search: samples.word.slice(0, 90), start: 10, total: 400 };
  const nothing = { ...page, rows: [], total: 0 };
  const known = rows.map(({ policy: { id, name }, reading }) => ({
    policy: { id, name, source: 'alert' as const },
    reading,
  }));
  const entries = samples.records.filter(({ event }) => event !== 'erased');
  const definitions = rows.slice(0, 2).map(({ policy }) => smallerPolicy(policy));
  const [before, after = before] = [definitions[0], definitions[1]];
  const changed = before && {
    ...before,
    name: samples.word,
    slaSets: before.slaSets.slice(1).map((slaSet) => ({ ...slaSet, seedSetting: samples.word })),
    otherFields: { [samples.word]: samples.word },
  };
  const changes = [
    ...(before && changed ? comparePolicies(before, changed) : []),
    ...(after ? comparePolicies(undefined, after) : []),
  ];
  const recorded = recordedChanges(samples);
  const many = Array.from({ length: 8 }, () => recorded).flat();
  return {
    revertModal: [changes, []].map((lines) =>
      revertModal(
        { approvalId: '00000000-0000-4000-8000-000000000001', channelId: 'C1' },
        samples.policyName,
        { changes: lines, approvals: 1, warning: '⚠ *A warning.*' },
      ),
    ),
    notRequestedMessage: [
      notRequestedMessage('The policy no longer exists. No request was sent.', samples.reason),
    ],
    policyListMessage: [
      ...[page, found, nothing].map(policyListMessage),
      policyListMessage({ ...nothing, search: samples.word.slice(0, 90) }),
    ],
    catalogMessage: [
      catalogMessage({ ...page, rows: known, total: known.length }),
      catalogMessage({ ...found, rows: known }),
      catalogMessage({ ...nothing, rows: [] }),
    ],
    policyCard: rows
      .slice(0, 2)
      .map(({ policy, reading }) => policyCard(policy, reading, { hasVolumes: true })),
    knownPolicyCard: known
      .slice(0, 1)
      .map(({ policy, reading }) => knownPolicyCard({ ...policy, id: 'p-1' }, reading)),
    externalChangeMessage: recorded.map(externalChangeMessage),
    externalChangesMessage: [externalChangesMessage(many)],
    changeListMessage: [
      changeListMessage(many, { start: 10, isComplete: false, unread: sampleNow }),
      changeListMessage(recorded, { start: 0, isComplete: true, unread: undefined }),
      changeListMessage([], { start: 0, isComplete: true, unread: undefined }),
    ],
    historyMessage: [
      historyMessage(
        { id: 'p-1', name: samples.policyName },
        {
          entries: [...entries.slice(0, 9), ...recorded.slice(0, 3)],
          hasMore: true,
        },
      ),
      historyMessage({ id: 'p-1', name: samples.policyName }, { entries: [], hasMore: false }),
    ],
  };
}
