import type { Owned } from '../collection.ts';
import { roleByKey } from '../data/roles.ts';
import type { Access, User } from '../resources.ts';

/** Most of the sample data has no role of its own: there the id, which never changes, decides. */
export function accessOf({ resource, organizationalUnitId }: Owned<User>): readonly Access[] {
  const { access, id } = resource;
  return access ?? [{ roleId: roleByNumber(Number(id)).id, unitIds: [organizationalUnitId] }];
}

function roleByNumber(id: number) {
  if (id % 8 === 5) return roleByKey.unitAdmin;
  return id % 2 === 0 ? roleByKey.backupOperator : roleByKey.restoreOperator;
}
