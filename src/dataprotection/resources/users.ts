import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import type { Page } from '../paging/page.ts';
import { listPages } from '../paging/paging.ts';
import { matchesUserFilter, type UserFilter } from './user-filter.ts';
import { readRoles, type UserRole, userRoleFields } from './user-roles.ts';

/**
 * A user of the service (contract, section 2). `lastActivityTimestamp` is ISO 8601 in UTC,
 * `inviter` the id of another user, `roles` what they may do where (only some services tell),
 * `otherFields` what Belay does not know, as it came.
 */
export type User = {
  id: string;
  fullName?: string | undefined;
  email?: string | undefined;
  isConfirmed?: boolean | undefined;
  isEnabled?: boolean | undefined;
  lastActivityTimestamp?: string | undefined;
  inviter?: string | undefined;
  roles?: UserRole[] | undefined;
  etag?: string | undefined;
  otherFields: Record<string, unknown>;
};

/** The fields that the service lets change; those left out stay as they are. */
export type UserChange = { fullName?: string; isEnabled?: boolean };

const target = ['users'];

const userSchema = lenientObject(
  {
    id: idSchema,
    full_name: optional(z.string()),
    email: optional(z.string()),
    is_confirmed: optional(z.boolean()),
    is_enabled: optional(z.boolean()),
    last_activity_timestamp: optional(z.string()),
    inviter: optional(idSchema),
    _etag: optional(z.string()),
    ...userRoleFields,
  },
  ({ fields, otherFields }): User => ({
    id: fields.id,
    fullName: fields.full_name,
    email: fields.email,
    isConfirmed: fields.is_confirmed,
    isEnabled: fields.is_enabled,
    lastActivityTimestamp: fields.last_activity_timestamp,
    inviter: fields.inviter,
    roles: readRoles(fields),
    etag: fields._etag,
    otherFields,
  }),
);

/**
 * All users that the filter means, page by page, in the service's order (contract, section 4:
 * GET /users). Where the service cannot filter, every page is read and may come out empty. Throws
 * `ServiceError`.
 */
export async function* listUsers(
  client: ServiceClient,
  { filter = {}, ...options }: CallOptions & { filter?: UserFilter } = {},
): AsyncGenerator<Page<User>> {
  const { pageSize, filteredUsers } = wireFormat(client.dialect);
  const query = { ...pageSize, ...filteredUsers?.(filter) };
  for await (const page of listPages(client, { target, query, itemSchema: userSchema }, options)) {
    yield { ...page, items: page.items.filter((user) => matchesUserFilter(user, filter)) };
  }
}

/**
 * All users, page by page, those first whose name contains `text` where the service can find them
 * by itself: of a search that has no time to read all pages, they are the likeliest matches. They
 * come twice.
 */
export async function* searchUsers(
  client: ServiceClient,
  text: string,
  options: CallOptions = {},
): AsyncGenerator<Page<User>> {
  if (wireFormat(client.dialect).filteredUsers) {
    yield* listUsers(client, { ...options, filter: { name: text } });
  }
  yield* listUsers(client, options);
}

/** One user (contract, section 4: GET /users/{user_id}). Throws `NotFoundError` for no such id. */
export function readUser(
  client: ServiceClient,
  userId: string,
  { signal }: CallOptions = {},
): Promise<User> {
  return client.send({ method: 'GET', target: ['users', userId], signal }, userSchema);
}

/**
 * Changes the given fields only and returns the user as it then is (contract, section 4:
 * PATCH /users/{user_id}). When it throws, `mayHaveActed` tells whether to read the user again.
 */
export function updateUser(
  client: ServiceClient,
  userId: string,
  change: UserChange,
  { signal }: CallOptions = {},
): Promise<User> {
  const body = {
    ...(change.fullName !== undefined && { full_name: change.fullName }),
    ...(change.isEnabled !== undefined && { is_enabled: change.isEnabled }),
  };
  return client.send({ method: 'PATCH', target: ['users', userId], body, signal }, userSchema);
}

/**
 * Deletes a user for good; any 2xx counts, with an empty body or JSON (contract, section 4:
 * DELETE /users/{user_id}). `NotFoundError` means that there is no such user, or no longer.
 */
export async function deleteUser(
  client: ServiceClient,
  userId: string,
  { signal }: CallOptions = {},
): Promise<void> {
  await client.send({ method: 'DELETE', target: ['users', userId], signal }, z.unknown());
}
