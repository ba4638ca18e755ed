import { accessOf, allPermissions, roles } from '../data/roles.ts';
import { json, link, refuse, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Role } from '../resources.ts';

export function listRoles(call: RequestContext): ServiceResponse {
  return listWhole(
    call,
    roles.map((role) => renderRole(role, call)),
  );
}

export function readRole(call: RequestContext): ServiceResponse {
  const role = roles.find(({ id }) => id === call.resourceId);
  if (!role) return refuse(404, `There is no role "${call.resourceId}".`);
  return json(200, renderRole(role, call));
}

export function listPermissions(call: RequestContext): ServiceResponse {
  return listWhole(call, allPermissions);
}

/** These lists have no `limit` and no `start`: everything is on one page. */
function listWhole({ path }: RequestContext, items: readonly unknown[]): ServiceResponse {
  return json(200, {
    current_count: items.length,
    limit: items.length,
    start: '1',
    total_count: items.length,
    total_pages_count: 1,
    _links: { _self: link(path), _first: link(path), _last: link(path) },
    _embedded: { items },
  });
}

function renderRole(role: Role, { store, unit }: RequestContext) {
  const users = store.users.visibleIn(unit.id);
  return {
    ...role,
    user_count: users.filter((user) => accessOf(user).some(({ roleId }) => roleId === role.id))
      .length,
    _links: { _self: link(`/roles/${role.id}`) },
  };
}
