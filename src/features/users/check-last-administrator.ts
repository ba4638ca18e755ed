import type { CallOptions, ServiceClient } from '../../dataprotection/client.ts';
import {
  coversAllUnits,
  type RoleRank,
  rankOfRole,
} from '../../dataprotection/dialects/live-roles.ts';
import {
  ForbiddenError,
  NotFoundError,
  OperationUnavailableError,
  ServiceTimeoutError,
} from '../../dataprotection/http/errors.ts';
import { listRoles } from '../../dataprotection/resources/roles.ts';
import { listUsers, type User } from '../../dataprotection/resources/users.ts';
import type { Check, CheckContext } from '../../requests/action.ts';
import { bold } from '../../slack/ui/mrkdwn.ts';
import { findUser } from './find-users.ts';
import { type RoleSnapshot, snapshotOf } from './stored-user.ts';

const label = 'last_administrator';
const notAdministrator: Check = {
  label,
  result: 'passed',
  words: "this user isn't an enabled administrator",
};

/** How long a person waits for a request to be made. */
const checkTimeoutMs = 5000;

/**
 * Refuses to lose an administrator whose rights no other enabled user has for certain. A role that
 * Belay doesn't know counts as that of a super administrator. Refuses as well when the service was too
 * slow: without administrators nobody could undo the change.
 */
export async function checkLastAdministrator(
  user: User,
  {
    client,
    subjectsUnderWay,
  }: { client: ServiceClient; subjectsUnderWay: CheckContext['subjectsUnderWay'] },
  signal: AbortSignal = AbortSignal.timeout(checkTimeoutMs),
): Promise<Check> {
  const { id, roles, isEnabled } = snapshotOf(user);
  if (roles === null) {
    const detail = "the service doesn't show roles";
    return { label, result: 'not_checkable', words: 'another administrator remains', detail };
  }
  if (isEnabled === false || roles.length === 0) return notAdministrator;
  try {
    const names = await readRoleNames(client, user, { signal });
    const grants = administratorGrants(roles, names);
    if (grants.length === 0) return notAdministrator;
    const excluded = new Set([...subjectsUnderWay, id]);
    const [lost] = await findLostGrants(client, { grants, names, excluded, signal });
    return lost ? refusal(lost, names) : passed(grants, names);
  } catch (error) {
    if (!(error instanceof ServiceTimeoutError)) throw error;
    const detail =
      'The service was too slow to check whether this is the last enabled administrator. Try again in a minute.';
    return { label, result: 'refused', detail };
  }
}

/** Says which roles were assumed to be those of administrators. */
function passed(grants: RoleGrant[], names: RoleNames): Check {
  const words = 'another administrator remains';
  const unknown = grants.filter(({ rank }) => rank === 'unknown').map(({ roleId }) => roleId);
  if (unknown.length === 0) return { label, result: 'passed', words };
  const roles = [...new Set(unknown)].slice(0, maxNamedRoles).map((id) => roleName(id, names));
  const detail = `assuming that ${roles.join(' and ')} can manage users`;
  return { label, result: 'passed', words, detail };
}

const maxNamedRoles = 3;

function refusal({ roleId, unitId, rank }: RoleGrant, names: RoleNames): Check {
  const role = roleName(roleId, names);
  const where =
    unitId === undefined ? 'in all organizational units' : 'in the same organizational unit';
  const detail =
    rank === 'unknown'
      ? `This may be the last enabled administrator: Belay doesn't know the role ${role} and treats that role as an administrator's. Belay sees no other super administrator ${where} who is confirmed, enabled and not about to be disabled or deleted. Add one first, or make the change in the service's portal.`
      : `This is the last enabled administrator: nobody else with the role ${role} ${where} is confirmed, enabled and not about to be disabled or deleted. Give the role to somebody else first.`;
  return { label, result: 'refused', detail };
}

function roleName(roleId: string, names: RoleNames): string {
  return bold(names.get(roleId) ?? `id ${roleId}`, 100);
}

type Search = { grants: RoleGrant[]; names: RoleNames; excluded: Set<string>; signal: AbortSignal };

/** The grants that no other user has. */
async function findLostGrants(
  client: ServiceClient,
  { grants, names, excluded, signal }: Search,
): Promise<RoleGrant[]> {
  let lost = grants;
  for await (const { items } of listUsers(client, { signal })) {
    for (const listed of items) {
      if (excluded.has(listed.id) || !lost.some((grant) => isSubstitute(listed, grant, names)))
        continue;
      // Lists leave out the units of roles in version 1 of users, so each candidate is read.
      const user = await findUser(client, listed.id, { signal });
      lost = lost.filter((grant) => !user || !isSubstitute(user, grant, names));
      if (lost.length === 0) return [];
    }
  }
  return lost;
}

/** Enabled, confirmed, and with this grant: an invited user who never signed in is no substitute. */
function isSubstitute(user: User, grant: RoleGrant, names: RoleNames): boolean {
  if (user.isEnabled !== true || user.isConfirmed === false) return false;
  return hasGrant(snapshotOf(user).roles ?? [], grant, addRoleNames(user, names));
}

/** Some services say the names with each user. Those of the list of roles come first. */
function addRoleNames({ roles = [] }: User, names: RoleNames): Map<string, string> {
  const own = roles.flatMap(({ roleId, roleName: name }) =>
    name ? [[roleId, name] as const] : [],
  );
  return new Map([...own, ...names]);
}

async function readRoleNames(
  client: ServiceClient,
  user: User,
  options: CallOptions,
): Promise<RoleNames> {
  const names = addRoleNames(user, new Map());
  try {
    for await (const { items } of listRoles(client, options)) {
      for (const role of items) if (role.name) names.set(role.id, role.name);
    }
  } catch (error) {
    if (!isListUnavailable(error)) throw error;
  }
  return names;
}

/** The service lists no roles, or not for this token. Other failures may pass. */
function isListUnavailable(error: unknown): boolean {
  return (
    error instanceof OperationUnavailableError ||
    error instanceof ForbiddenError ||
    error instanceof NotFoundError
  );
}

/** A role granted in one unit, or in all of them if `unitId` is undefined. */
type RoleGrant = { roleId: string; unitId: string | undefined; rank: RoleRank };

type RoleNames = ReadonlyMap<string, string>;

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
