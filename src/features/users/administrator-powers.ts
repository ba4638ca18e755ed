import {
  coversAllUnits,
  isAdministratorRole,
  isSuperAdministratorRole,
} from '../../dataprotection/dialects/live-roles.ts';
import type { RoleSnapshot } from './stored-user.ts';

/** A role in one unit, or in all where `unitId` is undefined. */
export type Power = { roleId: string; unitId: string | undefined };

export type RoleNames = ReadonlyMap<string, string>;

/**
 * The powers that would be lost with a user of these roles, unless others have them. Of a top
 * administrator only that role counts, because it includes the others.
 */
export function administratorPowers(roles: RoleSnapshot[], names: RoleNames): Power[] {
  const named = (test: (name: string) => boolean) =>
    roles.filter(({ roleId }) => test(names.get(roleId) ?? ''));
  const top = named(isSuperAdministratorRole);
  const needed = top.length > 0 ? top : named(isAdministratorRole);
  return needed.flatMap(powersOf);
}

function powersOf(role: RoleSnapshot): Power[] {
  const { roleId, unitIds } = role;
  if (coversAllUnits(role.unitIds)) return [{ roleId, unitId: undefined }];
  return unitIds.map((unitId) => ({ roleId, unitId }));
}

/** Whether one of the roles gives this power, or includes it. */
export function hasPower(
  roles: RoleSnapshot[],
  { roleId, unitId }: Power,
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
