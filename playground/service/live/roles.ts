import { accessOf, allPermissions, roles } from '../data/roles.ts';
import { etagOf } from '../http/render-page.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Role } from '../resources.ts';

export function listRoles(context: RequestContext): ServiceResponse {
  return listWhole(
    context,
    roles.map((role) => renderRole(role, context)),
  );
}

export function readRole(context: RequestContext): ServiceResponse {
  const role = roles.find(({ id }) => id === context.resourceId);
  if (!role) return errorResponse(404, `There is no role "${context.resourceId}".`);
  return json(200, renderRole(role, context));
}

export function listPermissions(context: RequestContext): ServiceResponse {
  return listWhole(context, allPermissions);
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
    _etag: etagOf(role),
    _links: { _self: link(`/roles/${role.id}`) },
  };
}
