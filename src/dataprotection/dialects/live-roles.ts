/**
 * What the live service says about roles only by convention (§10 The live dialect). The documented
 * dialect has no roles.
 */

/** The unit that contains all others, on every tenant. */
const globalUnitId = '00000000-0000-0000-0000-000000000000';

/** Whether a role granted in these units holds everywhere. No unit at all means every unit. */
export function coversAllUnits(unitIds: readonly string[]): boolean {
  return unitIds.length === 0 || unitIds.includes(globalUnitId);
}

/** Roles carry no marker for what they grant, so the name decides. */
export function isAdministratorRole(roleName: string): boolean {
  return /\badmin(istrator)?s?\b/i.test(roleName);
}

/** Includes the permissions of every other administrator role. */
export function isSuperAdministratorRole(roleName: string): boolean {
  return isAdministratorRole(roleName) && /\bsuper\b/i.test(roleName);
}
