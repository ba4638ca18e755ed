import { z } from 'zod';
import { transformFast } from '../fast-path.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

/** A role and the organizational units it is granted in; the name if the service returns it. */
export type UserRole = {
  roleId: string;
  roleName?: string | undefined;
  organizationalUnitIds: string[];
};

export type UserFilter = {
  /** Part of the full name, case-insensitive. */
  name?: string | undefined;
};

/** The filter as the live service applies it, for services that don't filter. */
export function matchesUserFilter({ fullName = '' }: User, { name = '' }: UserFilter): boolean {
  return name === '' || fullName.toLowerCase().includes(name.toLowerCase());
}

const unitIds = optional(z.array(idSchema));
const roleNames = optional(z.array(z.object({ id: idSchema, name: z.string() })));

/** The role fields of both versions of a user (§10 The live dialect). */
const roleFields = {
  accessControlConfiguration: optional(
    z.array(z.object({ role_id: idSchema, organizational_unit_ids: unitIds })),
  ),
  assignedRole: optional(idSchema),
  assignedOrganizationalUnitIds: unitIds,
  embedded: optional(z.object({ 'read-role': roleNames, name: optional(z.string()) })),
};

const sentUser = lenientObject(
  {
    id: idSchema,
    fullName: optional(z.string()),
    email: optional(z.string()),
    isConfirmed: optional(z.boolean()),
    isEnabled: optional(z.boolean()),
    lastActivityTimestamp: optional(z.string()),
    inviter: optional(idSchema),
    etag: optional(z.string()),
    ...roleFields,
  },
  { etag: '_etag', embedded: '_embedded' },
);
type SentUser = z.output<typeof sentUser>;

/**
 * A user of the service (§2 Resources and their fields). `lastActivityTimestamp` is ISO 8601 in
 * UTC, `inviter` the id of another user; only some services return `roles`; `otherFields` are
 * unknown fields, unchanged.
 */
export type User = Omit<SentUser, keyof typeof roleFields> & { roles?: UserRole[] | undefined };

export const userSchema = transformFast(sentUser, (sent): User => {
  const {
    accessControlConfiguration: _configuration,
    assignedRole: _role,
    assignedOrganizationalUnitIds: _unitIds,
    embedded: _embedded,
    ...user
  } = sent;
  return { ...user, roles: readRoles(sent) };
});

/** Version 2 has several roles, each with its own units; version 1 has one role for all units. */
function readRoles({
  accessControlConfiguration,
  assignedRole,
  assignedOrganizationalUnitIds,
  embedded,
}: SentUser): UserRole[] | undefined {
  if (accessControlConfiguration) {
    return accessControlConfiguration.map(({ role_id, organizational_unit_ids }) => ({
      roleId: role_id,
      roleName: embedded?.['read-role']?.find(({ id }) => id === role_id)?.name,
      organizationalUnitIds: organizational_unit_ids ?? [],
    }));
  }
  if (assignedRole === undefined) return undefined;
  const organizationalUnitIds = assignedOrganizationalUnitIds ?? [];
  return [{ roleId: assignedRole, roleName: embedded?.name, organizationalUnitIds }];
}
