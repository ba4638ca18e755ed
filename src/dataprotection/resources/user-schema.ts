import { z } from 'zod';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

/**
 * A user of the service (§2 Resources and their fields). `lastActivityTimestamp` is ISO 8601 in
 * UTC, `inviter` the id of another user; only some services return `roles`; `otherFields` are
 * unknown fields, unchanged.
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
const userRoleFields = {
  access_control_configuration: optional(
    z.array(z.object({ role_id: idSchema, organizational_unit_ids: unitIds })),
  ),
  assigned_role: optional(idSchema),
  assigned_organizational_unit_ids: unitIds,
  _embedded: optional(z.object({ 'read-role': roleNames, name: optional(z.string()) })),
};

export const userSchema = lenientObject(
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

type RoleFields = z.infer<z.ZodObject<typeof userRoleFields>>;

/** Version 2 has several roles, each with its own units; version 1 has one role for all units. */
function readRoles(fields: RoleFields): UserRole[] | undefined {
  const { assigned_role, assigned_organizational_unit_ids, _embedded } = fields;
  if (fields.access_control_configuration) {
    return fields.access_control_configuration.map(({ role_id, organizational_unit_ids }) => ({
      roleId: role_id,
      roleName: _embedded?.['read-role']?.find(({ id }) => id === role_id)?.name,
      organizationalUnitIds: organizational_unit_ids ?? [],
    }));
  }
  if (assigned_role === undefined) return undefined;
  const organizationalUnitIds = assigned_organizational_unit_ids ?? [];
  return [{ roleId: assigned_role, roleName: _embedded?.name, organizationalUnitIds }];
}
