import { z } from 'zod';
import { type Answer, empty, json, refuse } from './answer.ts';
import type { Call } from './call.ts';
import { refuseInvalid } from './invalid-body.ts';
import { link } from './links.ts';
import { listPage } from './list.ts';
import type { User } from './resources.ts';
import { findVisible, replace, visibleIn } from './store.ts';

/** The two writable fields of the contract; anything else is refused rather than ignored. */
const userChanges = z
  .strictObject({ full_name: z.string().trim().min(1), is_enabled: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'give full_name or is_enabled');

export function listUsers(call: Call): Answer {
  return listPage(call, visibleIn(call.store.users, call.unit.id), renderUser);
}

export function readUser(call: Call): Answer {
  const user = findUser(call);
  return user ? json(200, renderUser(user)) : unknownUser(call);
}

export function patchUser(call: Call): Answer {
  const user = findUser(call);
  if (!user) return unknownUser(call);
  const changes = userChanges.safeParse(call.body);
  if (!changes.success) return refuseInvalid(changes.error);

  const { full_name = user.full_name, is_enabled = user.is_enabled } = changes.data;
  const changed = { ...user, full_name, is_enabled };
  replace(call.store.users, changed);
  return json(200, renderUser(changed));
}

export function deleteUser(call: Call): Answer {
  const user = findUser(call);
  if (!user) return unknownUser(call);
  call.store.users.delete(user.id);
  return empty();
}

function findUser({ store, resourceId, unit }: Call): User | undefined {
  return findVisible(store.users, resourceId, unit.id);
}

function unknownUser({ resourceId }: Call): Answer {
  return refuse(404, `There is no user "${resourceId}".`);
}

function renderUser(user: User) {
  const path = `/users/${user.id}`;
  return {
    ...user,
    _links: {
      _self: link(path),
      'update-user': link(path, 'patch'),
      'delete-user': link(path, 'delete'),
    },
  };
}
