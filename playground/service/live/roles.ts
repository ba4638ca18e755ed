import { accessOf, allPermissions, roles } from '../data/roles.ts';
import { type Answer, json, link, refuse } from '../http/response.ts';
import type { Call } from '../portal/request-context.ts';
import type { Role } from '../resources.ts';

export function listRoles(call: Call): Answer {
  return listWhole(
    call,
    roles.map((role) => renderRole(role, call)),
  );
}

export function readRole(call: Call): Answer {
  const role = roles.find(({ id }) => id === call.resourceId);
  if (!role) return refuse(404, `There is no role "${call.resourceId}".`);
  return json(200, renderRole(role, call));
}

export function listPermissions(call: Call): Answer {
  return listWhole(call, allPermissions);
}

/** These lists take no `limit` and no `start`: all there is comes on one page. */
function listWhole({ path }: Call, items: readonly unknown[]): Answer {
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

function renderRole(role: Role, { store, unit }: Call) {
  const users = store.users.visibleIn(unit.id);
  return {
    ...role,
    user_count: users.filter((user) => accessOf(user).some(({ roleId }) => roleId === role.id))
      .length,
    _links: { _self: link(`/roles/${role.id}`) },
  };
}
