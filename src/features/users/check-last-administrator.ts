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
  administratorPowers,
  hasPower,
  type Power,
  type RoleNames,
} from './administrator-powers.ts';
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
    const powers = administratorPowers(roles, names);
    if (powers.length > 0) {
      const excluded = new Set([...subjectsUnderWay, id]);
      return checkOf(await powersLost(client, { powers, names, excluded, signal }), names);
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

function checkOf([lost]: Power[], names: RoleNames): Check {
  if (!lost) return passed;
  const where = lost.unitId === undefined ? 'everywhere' : 'in the same unit';
  const role = bold(names.get(lost.roleId) ?? lost.roleId, 100);
  const detail = `This would lose the last enabled administrator: Belay sees nobody else with the role ${role} ${where} who is confirmed, enabled and not about to go. Please give that role to someone else first.`;
  return { label, result: 'refused', detail };
}

type Search = { powers: Power[]; names: RoleNames; excluded: Set<string>; signal: AbortSignal };

/** The powers that no other user has. */
async function powersLost(
  client: ServiceClient,
  { powers, names, excluded, signal }: Search,
): Promise<Power[]> {
  let lost = powers;
  for await (const { items } of listUsers(client, { signal })) {
    for (const listed of items) {
      if (excluded.has(listed.id) || !lost.some((power) => isSubstitute(listed, power, names)))
        continue;
      // Lists leave out the units of roles in version 1 of users, so each candidate is read.
      const user = await findUser(client, listed.id, { signal });
      lost = lost.filter((power) => !user || !isSubstitute(user, power, names));
      if (lost.length === 0) return [];
    }
  }
  return lost;
}

/** Enabled, confirmed, and with this power: an invited user who never signed in is no substitute. */
function isSubstitute(user: User, power: Power, names: RoleNames): boolean {
  if (user.isEnabled !== true || user.isConfirmed === false) return false;
  return hasPower(snapshotOf(user).roles ?? [], power, names);
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
