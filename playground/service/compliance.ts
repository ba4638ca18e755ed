import { protectsEbsVolumes } from './data/policies.ts';
import { errorResponse, json, link, type ServiceResponse } from './http/response.ts';
import type { RequestContext } from './portal/request-context.ts';
import type { ComplianceStatistics } from './resources.ts';

const nothingProtected: ComplianceStatistics = {
  compliant_count: 0,
  non_compliant_count: 0,
  deactivated_count: 0,
  protected_count: 0,
  unprotected_count: 0,
  has_seeding_entities: false,
};

/** Zeros instead of 404 for a policy that covers no EBS volumes. */
export function readCompliance({ store, resourceId, unit, path }: RequestContext): ServiceResponse {
  const policy = store.policies.find(resourceId, unit.id)?.resource;
  if (!policy) return unknownPolicy(resourceId);

  const recorded = protectsEbsVolumes(policy) && store.complianceStatistics.get(policy.id);
  return json(200, { ...(recorded || nothingProtected), _links: { _self: link(path) } });
}

export function unknownPolicy(id: string): ServiceResponse {
  return errorResponse(404, `There is no policy "${id}".`);
}
