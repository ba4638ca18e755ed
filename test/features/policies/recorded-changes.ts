import { comparePolicies } from '../../../src/features/policies/index.ts';
import type { RecordedChange } from '../../../src/features/policy-watches/index.ts';
import { people, sampleNow } from '../sample-place.ts';
import type { Samples } from '../samples.ts';
import { smallerPolicy } from './smaller-policy.ts';

/** A policy that was changed, created and deleted, outside Belay and through it. */
export function recordedChanges(samples: Samples): RecordedChange[] {
  const [sample] = samples.policies;
  if (!sample) return [];
  const policy = smallerPolicy(sample.definition);
  const without = { ...policy, slaSets: policy.slaSets.slice(1) };
  const change = { policyId: 'p-1', name: policy.name, at: sampleNow };
  return [
    {
      ...change,
      kind: 'changed',
      changes: comparePolicies(policy, without),
      madeBy: undefined,
    },
    {
      ...change,
      kind: 'created',
      changes: comparePolicies(undefined, policy),
      madeBy: { requester: people.ana, decidedBy: people.ben, channelId: 'C1', messageTs: '1.2' },
    },
    { ...change, kind: 'deleted', changes: [], madeBy: undefined },
  ];
}
