import { historyMessage } from '../../../src/features/policies/views/history-message.ts';
import {
  catalogMessage,
  policyListMessage,
} from '../../../src/features/policies/views/policy-list-message.ts';
import {
  knownPolicyCard,
  policyCard,
} from '../../../src/features/policies/views/policy-message.ts';
import type { Samples } from '../samples.ts';

/** Every message about policies. */
export function everyPolicyView(samples: Samples): Record<string, unknown[]> {
  const rows = samples.policies.slice(0, 10).map((one) => ({
    policy: one.definition,
    reading: { outcome: 'read' as const, statistics: one.statistics },
  }));
  const page = { rows, search: '', start: 0, total: 12, canCreate: false };
  const found = { ...page, search: samples.word.slice(0, 90), start: 10, total: 400 };
  const nothing = { ...page, rows: [], total: 0 };
  const known = rows.map(({ policy: { id, name }, reading }) => ({
    policy: { id, name, source: 'alert' as const },
    reading,
  }));
  const changes = samples.records.filter(({ event }) => event !== 'erased');
  return {
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
      .map(({ policy, reading }) => policyCard({ policy, reading, canEdit: false })),
    knownPolicyCard: known
      .slice(0, 1)
      .map(({ policy, reading }) => knownPolicyCard({ ...policy, id: 'p-1' }, reading)),
    historyMessage: [
      historyMessage(
        { id: 'p-1', name: samples.policyName },
        {
          records: changes.slice(0, 10),
          hasMore: true,
        },
      ),
      historyMessage({ id: 'p-1', name: samples.policyName }, { records: [], hasMore: false }),
    ],
  };
}
