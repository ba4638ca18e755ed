import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { renderOnce } from '../http/render-page.ts';
import {
  empty,
  errorResponse,
  invalidBody,
  json,
  link,
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

export function listUsers(context: RequestContext): ServiceResponse {
  return listPage(context, context.store.users.visibleIn(context.unit.id), userText);
}

export function readUser(context: RequestContext): ServiceResponse {
  const user = findUser(context);
  return user ? json(200, renderUser(user)) : unknownUser(context);
}

export function patchUser(context: RequestContext): ServiceResponse {
  const user = findUser(context);
  if (!user) return unknownUser(context);
  const changes = userChanges.safeParse(context.body);
  if (!changes.success) return invalidBody(changes.error);

  const { full_name = user.full_name, is_enabled = user.is_enabled } = changes.data;
  const changed = { ...user, full_name, is_enabled };
  context.store.users.replace(changed);
  return json(200, renderUser(changed));
}

export function deleteUser(context: RequestContext): ServiceResponse {
  const user = findUser(context);
  if (!user) return unknownUser(context);
  context.store.users.remove(user.id);
  return empty();
}

function findUser({ store, resourceId, unit }: RequestContext): User | undefined {
  return store.users.find(resourceId, unit.id)?.resource;
}

function unknownUser({ resourceId }: RequestContext): ServiceResponse {
  return errorResponse(404, `There is no user "${resourceId}".`);
}

const userText = renderOnce(({ resource }: Owned<User>) => renderUser(resource));

/** This dialect has no roles and no invitations. */
function renderUser({ access: _access, invitedAt: _invitedAt, ...user }: User) {
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
