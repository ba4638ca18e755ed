import { z } from 'zod';
import { unknownPolicy } from '../compliance.ts';
import type { Owned } from '../data/collection.ts';
import { replaceStored } from '../data/store.ts';
import { renderOnce } from '../http/render-page.ts';
import { errorResponse, invalidBody, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Policy } from '../resources.ts';
import { listPage } from './list-page.ts';

const duration = z.strictObject({ units: z.string().min(1), value: z.number().nonnegative() });

const sla = z.strictObject({ rpo_frequency: duration, retention_duration: duration });

const slaSet = z.strictObject({
  operation: z.string().min(1),
  // The contract is inconsistent about where this belongs; its examples have it here.
  seed_setting: z.string().min(1),
  slas: z.array(sla).min(1),
});

/**
 * The body of POST and PUT, which is complete: PUT replaces everything. Operations and units are
 * open sets.
 */
const policyBody = z.strictObject({
  name: z.string().trim().min(1),
  sla_sets: z.array(slaSet).min(1),
});

/** Any object with a name, kept as it is. */
const anyBody = z
  .custom<Record<string, unknown>>((body) => z.looseObject({}).safeParse(body).success)
  .transform((sent): Omit<Policy, 'id'> => ({ name: String(sent.name), sla_sets: [], sent }));

function bodySchema({ portal }: RequestContext): z.ZodType<Omit<Policy, 'id'>> {
  return portal.acceptsAnyPolicy ? anyBody : policyBody;
}

/** Not in the contract's table of endpoints, but implied by CRUDL (§1 What the service does). */
export function listPolicies(context: RequestContext): ServiceResponse {
  if (!context.portal.listsPolicies) return errorResponse(404, 'There is nothing at this path.');
  return listPage(context, context.store.policies.visibleIn(context.unit.id), policyText);
}

/** The new policy belongs to the unit of the request. */
export function createPolicy(context: RequestContext): ServiceResponse {
  const { store, unit } = context;
  const parsed = bodySchema(context).safeParse(context.body);
  if (!parsed.success) return invalidBody(parsed.error);

  const policy = { id: store.newId(), ...parsed.data };
  store.policies.add({ organizationalUnitId: unit.id, resource: policy });
  return json(200, renderPolicy(policy));
}

export function replacePolicy(context: RequestContext): ServiceResponse {
  const { store, resourceId, unit } = context;
  const existing = store.policies.find(resourceId, unit.id);
  if (!existing) return unknownPolicy(resourceId);
  const parsed = bodySchema(context).safeParse(context.body);
  if (!parsed.success) return invalidBody(parsed.error);

  const policy = { id: existing.resource.id, ...parsed.data };
  replaceStored(store, policy);
  return json(200, renderPolicy(policy));
}

const policyText = renderOnce(({ resource }: Owned<Policy>) => renderPolicy(resource));

/** Without `_self`, because the contract has no endpoint to read one policy. */
function renderPolicy({ sent, ...policy }: Policy) {
  const path = `/policies/definitions/${policy.id}`;
  return {
    ...(sent ? { ...sent, id: policy.id } : policy),
    _links: {
      'update-policy-definition': link(path, 'put'),
      'read-policy-aws-ebs-volumes-compliance-stats': link(
        `${path}/stats/compliance/aws/ebs-volumes`,
      ),
    },
  };
}
