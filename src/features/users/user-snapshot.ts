import { z } from 'zod';
import type { User } from '../../dataprotection/resources/users.ts';

const roleSnapshotSchema = z.object({ roleId: z.string(), unitIds: z.array(z.string()) });

/**
 * What a decision about a user rests on. Only what means the same at every reading: no names of
 * roles and units, which may fail to be read, and no last activity. What the service does not tell
 * is null; roles and units stand in one order, whatever the service's.
 */
export const userSnapshotSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  fullName: z.string().nullable(),
  isEnabled: z.boolean().nullable(),
  isConfirmed: z.boolean().nullable(),
  /** No unit means all of them. Null: the service does not tell the roles of users. */
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
      ? inOneOrder(
          roles.map(({ roleId, organizationalUnitIds }) => ({
            roleId,
            unitIds: [...new Set(organizationalUnitIds)].sort(),
          })),
        )
      : null,
  };
}

function inOneOrder(roles: RoleSnapshot[]): RoleSnapshot[] {
  const bySpelling = new Map(roles.map((role) => [spellRole(role), role]));
  return [...bySpelling].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, role]) => role);
}

/** By role and units together: in another unit the same role is another power. */
export function spellRole({ roleId, unitIds }: RoleSnapshot): string {
  return JSON.stringify([roleId, unitIds]);
}
