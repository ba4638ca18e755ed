import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { lenientObject, optional } from '../lenient-object.ts';

const complianceSchema = lenientObject({
  compliantCount: optional(z.number()),
  nonCompliantCount: optional(z.number()),
  deactivatedCount: optional(z.number()),
  protectedCount: optional(z.number()),
  unprotectedCount: optional(z.number()),
  /** Whether a volume's first full backup is pending or running. */
  hasSeedingEntities: optional(z.boolean()),
});

/**
 * Numbers of EBS volumes of one policy (§2 Resources and their fields). Any count may be missing,
 * so a percentage needs a check that both of its counts exist.
 */
export type ComplianceStatistics = z.output<typeof complianceSchema>;

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
