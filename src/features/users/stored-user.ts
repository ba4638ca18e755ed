import { z } from 'zod';
import type { User } from '../../dataprotection/resources/users.ts';

/** The payload of every request about a user: enough to find the user and to name them. */
export const userPayload = z.object({
  id: z.string(),
  fullName: z.string().optional(),
  email: z.string().optional(),
  /** As the service says it, for approvers of a request about several users. */
  lastActivity: z.string().optional(),
});
export type UserPayload = z.infer<typeof userPayload>;

export function payloadOf(user: User): UserPayload {
  const { id, fullName, email, lastActivityTimestamp: lastActivity } = user;
  return { id, fullName, email, lastActivity };
}

export const renamePayload = userPayload.extend({ newFullName: z.string() });
export type RenamePayload = z.infer<typeof renamePayload>;

const defaultGraceMinutes = 30;

export const deletePayload = userPayload.extend({
  /** How long the user stays disabled before they are deleted. */
  graceMinutes: z.int().nonnegative().default(defaultGraceMinutes),
});
export type DeletePayload = z.infer<typeof deletePayload>;

const roleSnapshotSchema = z.object({ roleId: z.string(), unitIds: z.array(z.string()) });

/**
 * What a decision about a user rests on: only what is comparable between readings. No names of roles
 * and units, whose reading may fail, and no last activity. Null is what the service leaves out;
 * roles and units are sorted.
 */
export const userSnapshotSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  fullName: z.string().nullable(),
  isEnabled: z.boolean().nullable(),
  isConfirmed: z.boolean().nullable(),
  /** No unit means all of them. Null: the service does not show the roles of users. */
  roles: z.array(roleSnapshotSchema).nullable(),
});
export type UserSnapshot = z.infer<typeof userSnapshotSchema>;
export type RoleSnapshot = z.infer<typeof roleSnapshotSchema>;

export function snapshotOf(user: User): UserSnapshot {
  const { id, email, fullName, isEnabled, isConfirmed, roles } = user;
  return {
    id,
    email: email ?? null,
    fullName: fullName ?? null,
    isEnabled: isEnabled ?? null,
    isConfirmed: isConfirmed ?? null,
    roles: roles
      ? sortRoles(
          roles.map(({ roleId, organizationalUnitIds }) => ({
            roleId,
            unitIds: [...new Set(organizationalUnitIds)].sort(),
          })),
        )
      : null,
  };
}

/** Without duplicates. */
function sortRoles(roles: RoleSnapshot[]): RoleSnapshot[] {
  const byKey = new Map(roles.map((role) => [roleKey(role), role]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, role]) => role);
}

/** By role and units together: the same role in another unit is another right. */
export function roleKey({ roleId, unitIds }: RoleSnapshot): string {
  return JSON.stringify([roleId, unitIds]);
}
