import type { RoleSnapshot } from './user-snapshot.ts';

/** A role in one unit, or in all where `unitId` is undefined. */
export type Power = { roleId: string; unitId: string | undefined };

export type RoleNames = ReadonlyMap<string, string>;

/** The unit that holds all others, on every tenant of the live service. */
const globalUnitId = '00000000-0000-0000-0000-000000000000';

/** Roles have no mark that says what they are for; their names do. */
export function isAdministrator(roleName: string): boolean {
  return /\badmin(istrator)?s?\b/i.test(roleName);
}

/** May do what every other administrator may. */
function isTopAdministrator(roleName: string): boolean {
  return isAdministrator(roleName) && /\bsuper\b/i.test(roleName);
}

/**
 * What would be lost with a user of these roles, unless others have it too. Whoever is an
 * administrator of the highest kind is needed as that, whatever else they are.
 */
export function administratorPowers(roles: RoleSnapshot[], names: RoleNames): Power[] {
  const named = (test: (name: string) => boolean) =>
    roles.filter(({ roleId }) => test(names.get(roleId) ?? ''));
  const top = named(isTopAdministrator);
  const needed = top.length > 0 ? top : named(isAdministrator);
  return needed.flatMap(powersOf);
}

function powersOf(role: RoleSnapshot): Power[] {
  const { roleId, unitIds } = role;
  if (isEverywhere(role)) return [{ roleId, unitId: undefined }];
  return unitIds.map((unitId) => ({ roleId, unitId }));
}

/** Whether one of the roles gives this power, or includes it. */
export function hasPower(
  roles: RoleSnapshot[],
  { roleId, unitId }: Power,
  names: RoleNames,
): boolean {
  const isTopNeeded = isTopAdministrator(names.get(roleId) ?? '');
  return roles.some((role) => {
    const includesRole =
      role.roleId === roleId || (!isTopNeeded && isTopAdministrator(names.get(role.roleId) ?? ''));
    const includesUnit =
      isEverywhere(role) || (unitId !== undefined && role.unitIds.includes(unitId));
    return includesRole && includesUnit;
  });
}

function isEverywhere({ unitIds }: RoleSnapshot): boolean {
  return unitIds.length === 0 || unitIds.includes(globalUnitId);
}
