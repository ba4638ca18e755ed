import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { lenientObject, optional } from '../lenient-object.ts';

/**
 * How a policy is kept, in numbers of EBS volumes. A count may be missing; percentages are for
 * the reader to dialect, and only where both counts are there.
 */
export type ComplianceStatistics = {
  compliantCount?: number | undefined;
  nonCompliantCount?: number | undefined;
  deactivatedCount?: number | undefined;
  protectedCount?: number | undefined;
  unprotectedCount?: number | undefined;
  /** Some volume waits for its first full backup or is in the middle of it. */
  hasSeedingEntities?: boolean | undefined;
  otherFields: Record<string, unknown>;
};

const complianceSchema = lenientObject(
  {
    compliant_count: optional(z.number()),
    non_compliant_count: optional(z.number()),
    deactivated_count: optional(z.number()),
    protected_count: optional(z.number()),
    unprotected_count: optional(z.number()),
    has_seeding_entities: optional(z.boolean()),
  },
  ({ fields, otherFields }): ComplianceStatistics => ({
    compliantCount: fields.compliant_count,
    nonCompliantCount: fields.non_compliant_count,
    deactivatedCount: fields.deactivated_count,
    protectedCount: fields.protected_count,
    unprotectedCount: fields.unprotected_count,
    hasSeedingEntities: fields.has_seeding_entities,
    otherFields,
  }),
);

/**
 * Compliance of one policy, EBS volumes only: the service reports no other kind (contract,
 * section 4: GET …/{policy_id}/stats/compliance/aws/ebs-volumes). Throws `NotFoundError` for an
 * unknown policy, and where a service does not keep these statistics.
 */
export function readEbsCompliance(
  client: ServiceClient,
  policyId: string,
  { signal }: CallOptions = {},
): Promise<ComplianceStatistics> {
  const target = [
    ...['policies', 'definitions', policyId],
    ...['stats', 'compliance', 'aws', 'ebs-volumes'],
  ];
  return client.send({ method: 'GET', target, signal }, complianceSchema);
}
