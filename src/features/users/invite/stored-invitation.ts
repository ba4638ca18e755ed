import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toPrivateId } from '../../../audit-log/entry.ts';
import type { CallOptions, ServiceClient } from '../../../dataprotection/client.ts';
import { readAutoProvisioning } from '../../../dataprotection/resources/auto-provisioning.ts';
import { listOrganizationalUnits } from '../../../dataprotection/resources/organizational-units.ts';
import { listRoles } from '../../../dataprotection/resources/roles.ts';
import { listUsers, type User } from '../../../dataprotection/resources/users.ts';
import { snapshotOf, userSnapshotSchema } from '../stored-user.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** The payload of a request to invite a person. */
export const invitationPayload = z.object({
  email: z.string(),
  fullName: z.string(),
  role: named,
  units: z.array(named),
  /** The user who was invited before and hasn't accepted: deleted first, because nothing sends it again. */
  replaces: z.string().optional(),
});
export type InvitationPayload = z.infer<typeof invitationPayload>;

/** What the decision rests on. The role and the units by name, null for what is gone. */
export const invitationSnapshot = z.object({
  email: z.string(),
  /** The user with this address. */
  user: userSnapshotSchema.nullable(),
  role: z.string().nullable(),
  units: z.array(z.string().nullable()),
  isAutoProvisioned: z.boolean(),
});
export type InvitationSnapshot = z.infer<typeof invitationSnapshot>;

/** What an invitation starts from: names by id, and the user who has the address already. */
export type InvitationSource = {
  roles: ReadonlyMap<string, string>;
  units: ReadonlyMap<string, string>;
  isAutoProvisioned: boolean;
  user: User | undefined;
};

const readMs = 15_000;

/**
 * `email`: undefined before it is known.
 * @throws {OperationUnavailableError} if the service lists no roles or units
 * @throws {ServiceError}
 */
export async function readSource(
  client: ServiceClient,
  email: string | undefined,
): Promise<InvitationSource> {
  const options = { signal: AbortSignal.timeout(readMs) };
  const [roles, units, isAutoProvisioned, user] = await Promise.all([
    readNames(listRoles(client, options)),
    readNames(listOrganizationalUnits(client, options)),
    readAutoProvisioning(client, options),
    email === undefined ? undefined : findByAddress(client, email, options),
  ]);
  return { roles, units, isAutoProvisioned, user };
}

/** All of them: what is missing counts as gone. */
async function readNames(
  pages: AsyncIterable<{ items: { id: string; name?: string | undefined }[] }>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { items } of pages) {
    for (const { id, name = id } of items) names.set(id, name);
  }
  return names;
}

/** No service finds a user by address, so this reads all pages. */
async function findByAddress(
  client: ServiceClient,
  email: string,
  options: CallOptions,
): Promise<User | undefined> {
  const wanted = email.toLowerCase();
  for await (const { items } of listUsers(client, options)) {
    const found = items.find((user) => user.email?.toLowerCase() === wanted);
    if (found) return found;
  }
  return undefined;
}

export function snapshotInvitation(
  { email, role, units }: InvitationPayload,
  source: InvitationSource,
): InvitationSnapshot {
  return {
    email,
    user: source.user ? snapshotOf(source.user) : null,
    role: source.roles.get(role.id) ?? null,
    units: units.map(({ id }) => source.units.get(id) ?? null),
    isAutoProvisioned: source.isAutoProvisioned,
  };
}

/**
 * Before the person is a user: the same for every request to invite them, and private, because a guessed
 * address can be compared with the hash.
 */
export function subjectOf({
  email,
  replaces,
}: Pick<InvitationPayload, 'email' | 'replaces'>): string {
  const hash = () => createHash('sha256').update(email.toLowerCase()).digest('base64url');
  return replaces ?? toPrivateId(hash());
}

/**
 * Whether the user hasn't accepted an invitation and can be invited again, with the same access. One who is
 * disabled would be enabled by that.
 */
export function isInvited({ isConfirmed, isEnabled, email, roles = [] }: User): boolean {
  return isConfirmed === false && isEnabled !== false && email !== undefined && roles.length === 1;
}
