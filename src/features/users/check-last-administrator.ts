import { guards } from '../../audit-log/registry.ts';
import type { CallOptions, ServiceClient } from '../../dataprotection/client.ts';
import {
  ForbiddenError,
  NotFoundError,
  OperationUnavailableError,
  ServiceTimeoutError,
} from '../../dataprotection/http/errors.ts';
import { listRoles } from '../../dataprotection/resources/roles.ts';
import { listUsers, type User } from '../../dataprotection/resources/users.ts';
import { bold } from '../../slack/ui/mrkdwn.ts';
import type { Check, CheckContext } from '../approvals/index.ts';
import {
  administratorGrants,
  hasGrant,
  type RoleGrant,
  type RoleNames,
} from './administrator-grants.ts';
import { findUser } from './find-users.ts';
import { snapshotOf } from './stored-user.ts';

const label = guards.notLastAdministrator.id;
const passed: Check = {
  label,
  result: 'passed',
  words: 'this is not the last enabled administrator',
};

/** How long a person waits for a request to be made. */
const checkTimeoutMs = 5000;

/**
 * Refuses to lose an administrator whose rights no other enabled user has. Refuses as well when the
 * service was too slow: without administrators nobody could undo the change.
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
    return notCheckable('the service does not tell roles');
  }
  if (isEnabled === false || roles.length === 0) return passed;
  try {
    const names = await readRoleNames(client, user, { signal });
    const grants = administratorGrants(roles, names);
    if (grants.length > 0) {
      const excluded = new Set([...subjectsUnderWay, id]);
      return checkOf(await findLostGrants(client, { grants, names, excluded, signal }), names);
    }
    if (roles.every(({ roleId }) => names.has(roleId))) return passed;
    return notCheckable('the service does not tell what all of their roles are called');
  } catch (error) {
    if (!(error instanceof ServiceTimeoutError)) throw error;
    const detail =
      'The service was too slow to check in time whether this is the last enabled administrator. Please try again.';
    return { label, result: 'refused', detail };
  }
}

function notCheckable(detail: string): Check {
  const words = 'whether this is the last enabled administrator';
  return { label, result: 'not_checkable', words, detail };
}

function checkOf([lost]: RoleGrant[], names: RoleNames): Check {
  if (!lost) return passed;
  const where = lost.unitId === undefined ? 'everywhere' : 'in the same unit';
  const role = bold(names.get(lost.roleId) ?? lost.roleId, 100);
  const detail = `This would lose the last enabled administrator: Belay sees nobody else with the role ${role} ${where} who is confirmed, enabled and not about to go. Please give that role to someone else first.`;
  return { label, result: 'refused', detail };
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
  return hasGrant(snapshotOf(user).roles ?? [], grant, names);
}

async function readRoleNames(
  client: ServiceClient,
  user: User,
  options: CallOptions,
): Promise<RoleNames> {
  const names = new Map<string, string>();
  for (const { roleId, roleName } of user.roles ?? []) if (roleName) names.set(roleId, roleName);
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
