import {
  coversAllUnits,
  type RoleRank,
  rankOfRole,
} from '../../dataprotection/dialects/live-roles.ts';
import type { RoleSnapshot } from './stored-user.ts';

/** A role granted in one unit, or in all of them if `unitId` is undefined. */
export type RoleGrant = { roleId: string; unitId: string | undefined; rank: RoleRank };

export type RoleNames = ReadonlyMap<string, string>;

/**
 * The grants that would be lost with a user of these roles, unless others have them. A role of unknown
 * rank counts as that of a super administrator, whose role includes those of other administrators.
 */
export function administratorGrants(roles: RoleSnapshot[], names: RoleNames): RoleGrant[] {
  const ranked = roles.map((role) => ({ ...role, rank: rankOfRole(names.get(role.roleId)) }));
  const isSuper = ranked.some(({ rank }) => rank === 'super-administrator');
  return ranked
    .filter(({ rank }) => rank !== 'limited' && !(isSuper && rank === 'administrator'))
    .flatMap(({ roleId, unitIds, rank }) => {
      const units = coversAllUnits(unitIds) ? [undefined] : unitIds;
      return units.map((unitId) => ({ roleId, unitId, rank }));
    });
}

/** Whether the roles include this grant for certain: a role of unknown rank proves nothing. */
export function hasGrant(roles: RoleSnapshot[], grant: RoleGrant, names: RoleNames): boolean {
  const { roleId, unitId, rank } = grant;
  return roles.some((role) => {
    const includesRole =
      rankOfRole(names.get(role.roleId)) === 'super-administrator' ||
      (rank === 'administrator' && role.roleId === roleId);
    const includesUnit =
      coversAllUnits(role.unitIds) || (unitId !== undefined && role.unitIds.includes(unitId));
    return includesRole && includesUnit;
  });
}
