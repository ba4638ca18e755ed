import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { lenientObject, optional } from '../lenient-object.ts';

/**
 * Numbers of EBS volumes of one policy (§2 Resources and their fields). Any count may be missing,
 * so a percentage needs a check that both of its counts exist.
 */
export type ComplianceStatistics = {
  compliantCount?: number | undefined;
  nonCompliantCount?: number | undefined;
  deactivatedCount?: number | undefined;
  protectedCount?: number | undefined;
  unprotectedCount?: number | undefined;
  /** Whether a volume's first full backup is pending or running. */
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
 * Compliance of one policy. The service reports EBS volumes only (§4 Endpoints:
 * GET …/{policy_id}/stats/compliance/aws/ebs-volumes).
 * @throws {NotFoundError} for an unknown policy, and if the service has no such statistics.
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
