/**
 * What the live service says about roles only by convention (§10 The live dialect). The documented
 * dialect has no roles.
 */

/** The unit that contains all others, on every tenant. */
const globalUnitId = '00000000-0000-0000-0000-000000000000';

/** On some tenants the highest role has the id of that unit. */
const superAdministratorId = globalUnitId;

/** Whether a role granted in these units holds everywhere. No unit at all means every unit. */
export function coversAllUnits(unitIds: readonly string[]): boolean {
  return unitIds.length === 0 || unitIds.includes(globalUnitId);
}

/**
 * What a role grants. A super administrator has the rights of every other administrator; an
 * administrator manages users in the role's units; a limited role doesn't manage users. `unknown` may
 * be any of these.
 */
export type RoleRank = 'super-administrator' | 'administrator' | 'limited' | 'unknown';

const rankByName = new Map<string, RoleRank>([
  ['super admin', 'super-administrator'],
  ['super administrator', 'super-administrator'],
  ['admin', 'administrator'],
  ['administrator', 'administrator'],
  ['ou admin', 'administrator'],
  ['unit admin', 'administrator'],
  ['organizational unit admin', 'administrator'],
  ['backup operator', 'limited'],
  ['restore operator', 'limited'],
]);

/**
 * Roles carry no marker for what they grant, so the whole name decides. A name that is merely similar,
 * in another language, or missing is `unknown`.
 */
export function rankOfRole(roleName: string | undefined): RoleRank {
  const name = (roleName ?? '').normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return rankByName.get(name) ?? 'unknown';
}

/** Whether the role can do everything, also by its id alone. */
export function isSuperAdministrator({ id, name }: { id: string; name?: string | undefined }) {
  return id === superAdministratorId || rankOfRole(name) === 'super-administrator';
}
