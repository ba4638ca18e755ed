import { z } from 'zod';
import { idSchema, optional } from '../lenient-object.ts';

/** What a user may do, and in which organizational units; the name where the service says it. */
export type UserRole = {
  roleId: string;
  roleName?: string | undefined;
  organizationalUnitIds: string[];
};

const unitIds = optional(z.array(idSchema));
const roleNames = optional(z.array(z.object({ id: idSchema, name: z.string() })));

/** The fields of both versions of a user that tell of roles. */
export const userRoleFields = {
  access_control_configuration: optional(
    z.array(z.object({ role_id: idSchema, organizational_unit_ids: unitIds })),
  ),
  assigned_role: optional(idSchema),
  assigned_organizational_unit_ids: unitIds,
  _embedded: optional(z.object({ 'read-role': roleNames, name: optional(z.string()) })),
};

type RoleFields = z.infer<z.ZodObject<typeof userRoleFields>>;

/** Version 2 grants several roles, each in units of its own, where version 1 had one for all units. */
export function readRoles(fields: RoleFields): UserRole[] | undefined {
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
