import { z } from 'zod';
import { type Answer, json, refuse } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Owned } from '../collection.ts';
import { refuseInvalid } from '../invalid-body.ts';
import type { User } from '../resources.ts';
import { accessOf } from './access-of.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './page-numbers.ts';
import { renderSingleUser, userTextIn } from './render-user.ts';

const firstVersionFilters: FilterTable<Owned<User>> = {
  name: { conditions: ['$contains'], of: ({ resource }) => resource.full_name },
};
const secondVersionFilters: FilterTable<Owned<User>> = {
  ...firstVersionFilters,
  role_id: { conditions: ['$eq'], of: (item) => accessOf(item).map(({ roleId }) => roleId) },
  organizational_unit_id: {
    conditions: ['$eq'],
    of: ({ organizationalUnitId }) => organizationalUnitId,
  },
};

/** Clients of this service send null for what they leave alone. Roles and units cannot be changed. */
const userChanges = z.strictObject({
  full_name: z.string().trim().min(1).nullish(),
  is_enabled: z.boolean().nullish(),
  assigned_role: z.null().optional(),
  organizational_unit_assignment_updates: z.null().optional(),
  access_control_configuration_updates: z.null().optional(),
});

export function listUsers(call: Call): Answer {
  const table = call.version === 1 ? firstVersionFilters : secondVersionFilters;
  const filter = parseFilter(call.query.get('filter'), table);
  if (!filter.ok) return filter.refusal;
  const users = filter.apply(call.store.users.visibleIn(call.unit.id));
  return listByNumber(call, users, userTextIn(call.version), { filter_applied: filter.applied });
}

export function readUser(call: Call): Answer {
  const user = findUser(call);
  return user ? json(200, renderSingleUser(user, call.version)) : unknownUser(call);
}

export function patchUser(call: Call): Answer {
  const found = findUser(call);
  if (!found) return unknownUser(call);
  const changes = userChanges.safeParse(call.body);
  if (!changes.success) return refuseInvalid(changes.error);

  const { full_name, is_enabled } = changes.data;
  const user = found.resource;
  const changed = {
    ...user,
    full_name: full_name ?? user.full_name,
    is_enabled: is_enabled ?? user.is_enabled,
  };
  call.store.users.replace(changed);
  return json(200, renderSingleUser({ ...found, resource: changed }, call.version));
}

/** Clients expect JSON of no particular shape. */
export function deleteUser(call: Call): Answer {
  const user = findUser(call);
  if (!user) return unknownUser(call);
  call.store.users.remove(user.resource.id);
  return json(200, {});
}

function findUser({ store, resourceId, unit }: Call): Owned<User> | undefined {
  return store.users.find(resourceId, unit.id);
}

function unknownUser({ resourceId }: Call): Answer {
  return refuse(404, `There is no user "${resourceId}".`);
}
