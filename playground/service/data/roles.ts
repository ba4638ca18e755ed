import { globalUnitId } from '../portal/portal-definitions.ts';
import type { Access, Role, User } from '../resources.ts';
import type { Owned } from './collection.ts';

const permissions = {
  users: { id: '1', name: 'Manage users', description: 'Invite, change and delete users.' },
  policies: { id: '2', name: 'Manage policies', description: 'Create and change policies.' },
  backups: { id: '3', name: 'Run backups', description: 'Start a backup by hand.' },
  restores: { id: '4', name: 'Restore', description: 'Restore what was backed up.' },
  view: { id: '5', name: 'View', description: 'See everything in the unit.' },
};
export const allPermissions = Object.values(permissions);

/** The same in every portal. */
export const roleByKey = {
  superAdmin: {
    id: '10000000-0000-4000-a000-000000000001',
    name: 'Super Admin',
    description: 'May do everything in every unit.',
    permissions: allPermissions,
  },
  unitAdmin: {
    id: '10000000-0000-4000-a000-000000000002',
    name: 'Unit Admin',
    description: 'May do everything in the units assigned.',
    permissions: allPermissions,
  },
  backupOperator: {
    id: '10000000-0000-4000-a000-000000000003',
    name: 'Backup Operator',
    description: 'Keeps the policies and runs backups.',
    permissions: [permissions.policies, permissions.backups, permissions.view],
  },
  restoreOperator: {
    id: '10000000-0000-4000-a000-000000000004',
    name: 'Restore Operator',
    description: 'Restores, and changes nothing else.',
    permissions: [permissions.restores, permissions.view],
  },
} satisfies Record<string, Role>;

export const roles: readonly Role[] = Object.values(roleByKey);

/** The access of super administrators. */
export const superAdminAccess: readonly Access[] = [
  { roleId: roleByKey.superAdmin.id, unitIds: [globalUnitId] },
];

/** The user's access if set; otherwise a role derived from the id, as for most sample users. */
export function accessOf({ resource, organizationalUnitId }: Owned<User>): readonly Access[] {
  const { access, id } = resource;
  return access ?? [{ roleId: roleByNumber(Number(id)).id, unitIds: [organizationalUnitId] }];
}

function roleByNumber(id: number) {
  if (id % 8 === 5) return roleByKey.unitAdmin;
  return id % 2 === 0 ? roleByKey.backupOperator : roleByKey.restoreOperator;
}
