import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';
import { matchesUserFilter, type User, type UserFilter, userSchema } from './user-schema.ts';

export type { User, UserRole } from './user-schema.ts';

/** The writable fields (§2 Resources and their fields); omitted fields stay as they are. */
type UserChange = { fullName?: string; isEnabled?: boolean };

const target = ['users'];

/**
 * All users that match the filter, page by page, in the service's order (§4 Endpoints: GET /users).
 * If the service can't filter, every page is read and filtered here, and may come out empty.
 * @throws {ServiceError}
 */
export async function* listUsers(
  client: ServiceClient,
  { filter = {}, ...options }: CallOptions & { filter?: UserFilter } = {},
): AsyncGenerator<Page<User>> {
  const { pageSize, filteredUsers } = dialectRules[client.dialect];
  const query = { ...pageSize, ...filteredUsers?.(filter) };
  for await (const page of listPages(client, { target, query, itemSchema: userSchema }, options)) {
    yield { ...page, items: page.items.filter((user) => matchesUserFilter(user, filter)) };
  }
}

/**
 * All users, page by page. If the service can filter, those whose name contains `text` come first
 * and again later: they are the likeliest matches for a search without time to read all pages.
 * @throws {ServiceError}
 */
export async function* searchUsers(
  client: ServiceClient,
  text: string,
  options: CallOptions = {},
): AsyncGenerator<Page<User>> {
  if (dialectRules[client.dialect].filteredUsers) {
    yield* listUsers(client, { ...options, filter: { name: text } });
  }
  yield* listUsers(client, options);
}

/**
 * One user (§4 Endpoints: GET /users/{user_id}).
 * @throws {NotFoundError} if there is no such user.
 */
export function readUser(
  client: ServiceClient,
  userId: string,
  { signal }: CallOptions = {},
): Promise<User> {
  return client.send({ method: 'GET', target: ['users', userId], signal }, userSchema);
}

/**
 * Changes the given fields and returns the updated user (§4 Endpoints: PATCH /users/{user_id}).
 * @throws {ServiceError} with `mayHaveActed` if the user has to be read again to be sure.
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

/** The service's defaults may grant the highest role, so each has a role, and the units where it holds. */
export type Invitation = {
  email: string;
  fullName: string;
  roleId: string;
  organizationalUnitIds: string[];
};

/**
 * Creates a user (§10 The live dialect). The service emails the invitation and can't send it again.
 * @throws {OperationUnavailableError} if the service has no invitations.
 * @throws {ServiceError} with `mayHaveActed` if the person may have been invited.
 */
export async function inviteUser(
  client: ServiceClient,
  { email, fullName, roleId, organizationalUnitIds }: Invitation,
  options: CallOptions = {},
): Promise<User> {
  const target = await findOperation(client, 'inviteUser', [], options);
  const body = {
    email,
    full_name: fullName,
    access_control_configuration: [
      { role_id: roleId, organizational_unit_ids: organizationalUnitIds },
    ],
  };
  return client.send({ method: 'POST', target, body, signal: options.signal }, userSchema);
}

/**
 * Deletes a user for good (§4 Endpoints: DELETE /users/{user_id}). Any 2xx is success, with an empty
 * body or with JSON.
 * @throws {NotFoundError} if there is no such user, or no longer.
 */
export async function deleteUser(
  client: ServiceClient,
  userId: string,
  { signal }: CallOptions = {},
): Promise<void> {
  await client.send({ method: 'DELETE', target: ['users', userId], signal }, z.unknown());
}
