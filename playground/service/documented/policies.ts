import { z } from 'zod';
import { unknownPolicy } from '../compliance.ts';
import type { Owned } from '../data/collection.ts';
import { renderOnce } from '../http/render-page.ts';
import { type Answer, json, link, refuse, refuseInvalid } from '../http/response.ts';
import type { Call } from '../portal/request-context.ts';
import type { Policy } from '../resources.ts';
import { listPage } from './list-page.ts';

const duration = z.strictObject({ units: z.string().min(1), value: z.number().nonnegative() });

const sla = z.strictObject({ rpo_frequency: duration, retention_duration: duration });

const slaSet = z.strictObject({
  operation: z.string().min(1),
  // The contract contradicts itself about where this sits; its examples have it here.
  seed_setting: z.string().min(1),
  slas: z.array(sla).min(1),
});

/** What POST and PUT take: complete, since PUT replaces everything. Operations and units are open sets. */
const policyBody = z.strictObject({
  name: z.string().trim().min(1),
  sla_sets: z.array(slaSet).min(1),
});

/** Not in the contract's table of endpoints, but implied by its create, read, update, delete, list. */
export function listPolicies(call: Call): Answer {
  if (!call.portal.listsPolicies) return refuse(404, 'There is nothing at this path.');
  return listPage(call, call.store.policies.visibleIn(call.unit.id), policyText);
}

/** The new policy belongs to the unit in which the request runs. */
export function createPolicy({ store, unit, body }: Call): Answer {
  const parsed = policyBody.safeParse(body);
  if (!parsed.success) return refuseInvalid(parsed.error);

  const policy = { id: store.newId(), ...parsed.data };
  store.policies.add({ organizationalUnitId: unit.id, resource: policy });
  return json(200, renderPolicy(policy));
}

export function replacePolicy({ store, resourceId, unit, body }: Call): Answer {
  const existing = store.policies.find(resourceId, unit.id);
  if (!existing) return unknownPolicy(resourceId);
  const parsed = policyBody.safeParse(body);
  if (!parsed.success) return refuseInvalid(parsed.error);

  const policy = { id: existing.resource.id, ...parsed.data };
  store.policies.replace(policy);
  return json(200, renderPolicy(policy));
}

const policyText = renderOnce(({ resource }: Owned<Policy>) => renderPolicy(resource));

/** No `_self`: the contract offers no reading of one policy, and a link must lead somewhere. */
function renderPolicy(policy: Policy) {
  const path = `/policies/definitions/${policy.id}`;
  return {
    ...policy,
    _links: {
      'update-policy-definition': link(path, 'put'),
      'read-policy-aws-ebs-volumes-compliance-stats': link(
        `${path}/stats/compliance/aws/ebs-volumes`,
      ),
    },
  };
}
