import {
  coversAllUnits,
  isAdministratorRole,
  isSuperAdministratorRole,
} from '../../dataprotection/dialects/live-roles.ts';
import type { RoleSnapshot } from './stored-user.ts';

/** A role granted in one unit, or in all of them if `unitId` is undefined. */
export type RoleGrant = { roleId: string; unitId: string | undefined };

export type RoleNames = ReadonlyMap<string, string>;

/**
 * The grants that would be lost with a user of these roles, unless others have them. Of a super
 * administrator only that role counts, because it includes the others.
 */
export function administratorGrants(roles: RoleSnapshot[], names: RoleNames): RoleGrant[] {
  const named = (test: (name: string) => boolean) =>
    roles.filter(({ roleId }) => test(names.get(roleId) ?? ''));
  const top = named(isSuperAdministratorRole);
  const needed = top.length > 0 ? top : named(isAdministratorRole);
  return needed.flatMap(grantsOf);
}

function grantsOf(role: RoleSnapshot): RoleGrant[] {
  const { roleId, unitIds } = role;
  if (coversAllUnits(role.unitIds)) return [{ roleId, unitId: undefined }];
  return unitIds.map((unitId) => ({ roleId, unitId }));
}

/** Whether the roles include this grant. */
export function hasGrant(
  roles: RoleSnapshot[],
  { roleId, unitId }: RoleGrant,
  names: RoleNames,
): boolean {
  const isTopNeeded = isSuperAdministratorRole(names.get(roleId) ?? '');
  return roles.some((role) => {
    const includesRole =
      role.roleId === roleId ||
      (!isTopNeeded && isSuperAdministratorRole(names.get(role.roleId) ?? ''));
    const includesUnit =
      coversAllUnits(role.unitIds) || (unitId !== undefined && role.unitIds.includes(unitId));
    return includesRole && includesUnit;
  });
}
