import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { accessOf, roles } from '../data/roles.ts';
import { etagOf, renderOnce } from '../http/render-page.ts';
import { errorResponse, invalidBody, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Role, User } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './list-page.ts';

const firstVersionFilters: FilterTable<Owned<User>> = {
  name: { conditions: ['$contains'], of: ({ resource }) => resource.full_name, ignoresCase: true },
};
const secondVersionFilters: FilterTable<Owned<User>> = {
  ...firstVersionFilters,
  role_id: { conditions: ['$eq'], of: (item) => accessOf(item).map(({ roleId }) => roleId) },
  organizational_unit_id: {
    conditions: ['$eq'],
    of: ({ organizationalUnitId }) => organizationalUnitId,
  },
};

/** Clients send null for fields they don't change. Roles and units can't be changed here. */
const userChanges = z.strictObject({
  full_name: z.string().trim().min(1).nullish(),
  is_enabled: z.boolean().nullish(),
  assigned_role: z.null().optional(),
  organizational_unit_assignment_updates: z.null().optional(),
  access_control_configuration_updates: z.null().optional(),
});

export function listUsers(context: RequestContext): ServiceResponse {
  const table = context.version === 1 ? firstVersionFilters : secondVersionFilters;
  const filter = parseFilter(context.query.get('filter'), table);
  if (!filter.ok) return filter.rejection;
  const users = filter.apply(context.store.users.visibleIn(context.unit.id));
  return listByNumber(context, users, userTextIn(context.version), {
    filter_applied: filter.applied,
    links: { 'create-user': link(context.path, 'post') },
  });
}

export function readUser(context: RequestContext): ServiceResponse {
  const user = findUser(context);
  return user ? json(200, renderSingleUser(user, context.version)) : unknownUser(context);
}

export function patchUser(context: RequestContext): ServiceResponse {
  const found = findUser(context);
  if (!found) return unknownUser(context);
  const changes = userChanges.safeParse(context.body);
  if (!changes.success) return invalidBody(changes.error);

  const { full_name, is_enabled } = changes.data;
  const user = found.resource;
  const changed = {
    ...user,
    full_name: full_name ?? user.full_name,
    is_enabled: is_enabled ?? user.is_enabled,
  };
  context.store.users.replace(changed);
  return json(200, renderSingleUser({ ...found, resource: changed }, context.version));
}

/** 200 with JSON of no particular shape, as clients expect. */
export function deleteUser(context: RequestContext): ServiceResponse {
  const user = findUser(context);
  if (!user) return unknownUser(context);
  context.store.users.remove(user.resource.id);
  return json(200, {});
}

function findUser({ store, resourceId, unit }: RequestContext): Owned<User> | undefined {
  return store.users.find(resourceId, unit.id);
}

function unknownUser({ resourceId }: RequestContext): ServiceResponse {
  return errorResponse(404, `There is no user "${resourceId}".`);
}

type Item = Owned<User>;

/** In version 1, a single user has more fields than a user in a list. */
export function renderSingleUser(item: Item, version: number) {
  if (version !== 1) return renderSecondVersion(item);
  return {
    ...renderFirstVersion(item),
    assigned_organizational_unit_ids: accessOf(item)[0]?.unitIds ?? [],
  };
}

const [firstVersionText, secondVersionText] = [
  renderOnce(renderFirstVersion),
  renderOnce(renderSecondVersion),
];

function userTextIn(version: number): (item: Item) => string {
  return version === 1 ? firstVersionText : secondVersionText;
}

/** Version 1 has one role per user. */
function renderFirstVersion(item: Item) {
  const [role] = rolesOf(item);
  return {
    ...common(item.resource),
    assigned_role: role?.id ?? null,
    _embedded: { name: role?.name ?? null, description: role?.description ?? null },
  };
}

function renderSecondVersion(item: Item) {
  const { resource } = item;
  return {
    ...common(resource),
    access_control_configuration: accessOf(item).map(({ roleId, unitIds }) => ({
      role_id: roleId,
      organizational_unit_ids: unitIds,
    })),
    last_password_change_timestamp: resource.last_activity_timestamp ?? null,
    _etag: etagOf(resource),
    _embedded: {
      'read-role': rolesOf(item).map(({ id, name, description }) => ({ id, name, description })),
    },
  };
}

function rolesOf(item: Item): Role[] {
  return accessOf(item).flatMap(({ roleId }) => roles.filter(({ id }) => id === roleId));
}

function common({ access: _access, invitedAt: _invitedAt, ...user }: User) {
  const path = `/users/${user.id}`;
  return {
    ...user,
    last_activity_timestamp: user.last_activity_timestamp ?? null,
    organizational_unit_count: 1,
    _links: {
      _self: link(path),
      'update-user': link(path, 'patch'),
      'delete-user': link(path, 'delete'),
    },
  };
}
