import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { renderOnce } from '../http/render-page.ts';
import {
  empty,
  json,
  link,
  refuse,
  refuseInvalid,
  type ServiceResponse,
} from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { User } from '../resources.ts';
import { listPage } from './list-page.ts';

/** The two writable fields of the contract; anything else is rejected, not ignored. */
const userChanges = z
  .strictObject({ full_name: z.string().trim().min(1), is_enabled: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'give full_name or is_enabled');

export function listUsers(call: RequestContext): ServiceResponse {
  return listPage(call, call.store.users.visibleIn(call.unit.id), userText);
}

export function readUser(call: RequestContext): ServiceResponse {
  const user = findUser(call);
  return user ? json(200, renderUser(user)) : unknownUser(call);
}

export function patchUser(call: RequestContext): ServiceResponse {
  const user = findUser(call);
  if (!user) return unknownUser(call);
  const changes = userChanges.safeParse(call.body);
  if (!changes.success) return refuseInvalid(changes.error);

  const { full_name = user.full_name, is_enabled = user.is_enabled } = changes.data;
  const changed = { ...user, full_name, is_enabled };
  call.store.users.replace(changed);
  return json(200, renderUser(changed));
}

export function deleteUser(call: RequestContext): ServiceResponse {
  const user = findUser(call);
  if (!user) return unknownUser(call);
  call.store.users.remove(user.id);
  return empty();
}

function findUser({ store, resourceId, unit }: RequestContext): User | undefined {
  return store.users.find(resourceId, unit.id)?.resource;
}

function unknownUser({ resourceId }: RequestContext): ServiceResponse {
  return refuse(404, `There is no user "${resourceId}".`);
}

const userText = renderOnce(({ resource }: Owned<User>) => renderUser(resource));

/** This dialect has no roles. */
function renderUser({ access: _, ...user }: User) {
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
