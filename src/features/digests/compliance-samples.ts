import type { ComplianceStatistics } from '../../dataprotection/resources/compliance.ts';

/** How a policy was kept at some time, as far as it was known then. */
export type PolicySample = {
  policy: { id: string; name: string };
  statistics: Omit<ComplianceStatistics, 'otherFields' | 'hasSeedingEntities'>;
};

/** One that could not be read stays with the connection over which it was last. */
export type KeptSample = PolicySample & { connectionId?: string };

export type EarlierSample = PolicySample & { connectionId: string; takenAt: Date };

/** Whose compliance is to be read: the connection in use of a workspace. */
export type SamplingClaim = { teamId: string; connectionId: string };

export type ComplianceSamples = {
  /** False for a policy of which `save` keeps nothing, for its id: nothing is known of it earlier. */
  canCancel: (policyId: string) => boolean;
  /** One that is due, now taken until `leaseUntil`. */
  claim: (claim: { now: Date; leaseUntil: Date }) => Promise<SamplingClaim | undefined>;
  /** Forgets those of the workspace that were taken before `keptSince`. */
  save: (
    claim: SamplingClaim,
    samples: { at: Date; nextAt: Date; keptSince: Date; readings: PolicySample[] },
  ) => Promise<void>;
  /**
   * The last sample of each policy at that moment or up to three days before. Those of connections that
   * this one replaced count too, for the same region and unit: most often only the token is another.
   */
  readAsOf: (connectionId: string, at: Date) => Promise<EarlierSample[]>;
};
