import { unknownPolicy } from '../compliance.ts';
import type { Owned } from '../data/collection.ts';
import { replaceStored } from '../data/store.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Policy, Task } from '../resources.ts';
import { parsePolicy } from './policies.ts';
import { policyFrom, renderPolicy } from './policy-format.ts';
import { linkToTask } from './tasks.ts';

type Unlocked = { ok: true; policy: Owned<Policy> } | { ok: false; rejection: ServiceResponse };

/**
 * Starts the change and responds with the old policy. The policy is locked until the task ends, and
 * changed only if the task completes.
 */
export function replacePolicy(context: RequestContext): ServiceResponse {
  const found = findUnlocked(context);
  if (!found.ok) return found.rejection;
  const parsed = parsePolicy(context);
  if (!parsed.ok) return parsed.rejection;

  const { store } = context;
  const { resource } = found.policy;
  const { created_time } = resource;
  const task = startChange(context, found.policy, 'updating', (now) => {
    const updated_time = Math.floor(now.getTime() / 1000);
    const times = created_time === undefined ? { updated_time } : { created_time, updated_time };
    const owner = parsed.body.organizational_unit_id ?? found.policy.organizationalUnitId;
    replaceStored(store, { ...policyFrom(resource.id, parsed.body), ...times }, owner);
  });
  const locked: Owned<Policy> = {
    ...found.policy,
    resource: { ...resource, lock_status: 'updating' },
  };
  return json(202, { ...renderPolicy(locked, linkToTask(task)), task_id: task.id });
}

export function deletePolicy(context: RequestContext): ServiceResponse {
  const found = findUnlocked(context);
  if (!found.ok) return found.rejection;
  const task = startChange(context, found.policy, 'deleting', () => {
    context.store.policies.remove(context.resourceId);
  });
  return json(202, {
    task_id: task.id,
    _links: { _self: link(context.path), ...linkToTask(task) },
  });
}

/** 409 is a choice: no source says which status a change to a locked policy gets. */
function findUnlocked({ store, resourceId, unit }: RequestContext): Unlocked {
  const policy = store.policies.find(resourceId, unit.id);
  if (!policy) return { ok: false, rejection: unknownPolicy(resourceId) };
  const { lock_status = 'unlocked' } = policy.resource;
  if (lock_status === 'unlocked') return { ok: true, policy };
  return {
    ok: false,
    rejection: errorResponse(409, `The policy is ${lock_status}. Try again later.`),
  };
}

function startChange(
  { store, tasks }: RequestContext,
  { resource, organizationalUnitId }: Owned<Policy>,
  lock_status: 'updating' | 'deleting',
  complete: (now: Date) => void,
): Task {
  const { id, name } = resource;
  store.policies.replace({ ...resource, lock_status });
  return tasks.start({
    type: lock_status === 'updating' ? 'policy_update' : 'policy_delete',
    category: 'management',
    genre: 'administrative',
    primaryEntity: { id, type: 'policy', value: name },
    organizationalUnitId,
    onEnd(outcome, now) {
      if (outcome === 'completed') complete(now);
      else store.policies.replace({ ...resource, lock_status: 'unlocked' });
    },
  });
}
