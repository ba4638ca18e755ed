import { unknownPolicy } from '../compliance.ts';
import type { Owned } from '../data/collection.ts';
import { errorResponse, invalidBody, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Policy } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByToken } from './list-page.ts';
import {
  anyPolicyBody,
  type LivePolicyBody,
  policyBody,
  policyFrom,
  policyText,
  renderPolicy,
} from './policy-format.ts';

const filterTable: FilterTable<Owned<Policy>> = {
  name: { conditions: ['$eq', '$begins_with'], of: ({ resource }) => resource.name },
  'operations.type': {
    conditions: ['$in'],
    of: ({ resource }) => resource.sla_sets.map(({ operation }) => operation),
  },
  activation_status: {
    conditions: ['$eq'],
    of: ({ resource }) => resource.activation_status ?? 'activated',
  },
};

export function listPolicies(context: RequestContext): ServiceResponse {
  const filter = parseFilter(context.query.get('filter'), filterTable);
  if (!filter.ok) return filter.rejection;
  const policies = filter.apply(context.store.policies.visibleIn(context.unit.id));
  return listByToken(context, policies, policyText, {
    filterApplied: filter.applied,
    links: { 'create-policy-definition': link(context.path, 'post') },
  });
}

export function readPolicy({ store, resourceId, unit }: RequestContext): ServiceResponse {
  const policy = store.policies.find(resourceId, unit.id);
  return policy ? json(200, renderPolicy(policy)) : unknownPolicy(resourceId);
}

/**
 * Synchronous, unlike a change. Two policies can have the same name: the sources disagree on that.
 */
export function createPolicy(context: RequestContext): ServiceResponse {
  const parsed = parsePolicy(context);
  if (!parsed.ok) return parsed.rejection;

  const { store, now, unit } = context;
  const created_time = Math.floor(now.getTime() / 1000);
  const item: Owned<Policy> = {
    organizationalUnitId: parsed.body.organizational_unit_id ?? unit.id,
    resource: { ...policyFrom(store.newId(), parsed.body), created_time },
  };
  store.policies.add(item);
  return json(200, renderPolicy(item));
}

type ParsedPolicy = { ok: true; body: LivePolicyBody } | { ok: false; rejection: ServiceResponse };

/**
 * A policy can belong to the unit of the request or, in the global unit, to any unit of the token.
 */
export function parsePolicy({ portal, body, unit, grant }: RequestContext): ParsedPolicy {
  const schema = portal.acceptsAnyPolicy ? anyPolicyBody : policyBody;
  const parsed = schema.safeParse(body);
  if (!parsed.success) return { ok: false, rejection: invalidBody(parsed.error) };
  const owner = parsed.data.organizational_unit_id ?? unit.id;
  const isAllowed = owner === unit.id || (unit.isDefault && grant.unitIds.includes(owner));
  if (isAllowed) return { ok: true, body: parsed.data };
  return { ok: false, rejection: errorResponse(403, 'This token may not work in that unit.') };
}
