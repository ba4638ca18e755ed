import { type Answer, json, refuse } from './answer.ts';
import type { Call } from './call.ts';
import { refuseInvalid } from './invalid-body.ts';
import { link } from './links.ts';
import { listPage } from './list.ts';
import { policyBody } from './policy-body.ts';
import type { Policy } from './resources.ts';
import { findVisible, replace, visibleIn } from './store.ts';

/** Not in the contract's table of endpoints, but implied by its create, read, update, delete, list. */
export function listPolicies(call: Call): Answer {
  return listPage(call, visibleIn(call.store.policies, call.unit.id), renderPolicy);
}

/** The new policy belongs to the unit in which the request runs. */
export function createPolicy({ store, unit, body }: Call): Answer {
  const parsed = policyBody.safeParse(body);
  if (!parsed.success) return refuseInvalid(parsed.error);

  const policy = { id: store.newPolicyId(), ...parsed.data };
  store.policies.set(policy.id, { organizationalUnitId: unit.id, resource: policy });
  return json(200, renderPolicy(policy));
}

export function replacePolicy({ store, resourceId, unit, body }: Call): Answer {
  const existing = findVisible(store.policies, resourceId, unit.id);
  if (!existing) return unknownPolicy(resourceId);
  const parsed = policyBody.safeParse(body);
  if (!parsed.success) return refuseInvalid(parsed.error);

  const policy = { id: existing.id, ...parsed.data };
  replace(store.policies, policy);
  return json(200, renderPolicy(policy));
}

export function unknownPolicy(id: string): Answer {
  return refuse(404, `There is no policy "${id}".`);
}

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
