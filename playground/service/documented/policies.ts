import { type Answer, json, refuse } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Owned } from '../collection.ts';
import { unknownPolicy } from '../compliance.ts';
import { refuseInvalid } from '../invalid-body.ts';
import { link } from '../links.ts';
import { renderOnce } from '../render-page.ts';
import type { Policy } from '../resources.ts';
import { listPage } from './list.ts';
import { policyBody } from './policy-body.ts';

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
