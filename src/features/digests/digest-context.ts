import type { Clock } from '../../clock.ts';
import type { ComplianceSamples, ListKnownPolicies } from '../compliance/index.ts';
import type { PolicyChanges } from '../policy-watches/index.ts';
import type { DigestStore } from './store/digest-store.ts';

/** What digests are collected, changed and posted with. */
export type DigestContext = {
  store: DigestStore;
  samples: Pick<ComplianceSamples, 'readAsOf'>;
  listKnownPolicies: ListKnownPolicies;
  policyChanges: Pick<PolicyChanges, 'list' | 'readHealth'>;
  clock: Clock;
};
