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
import { snapshotOf, type UserSnapshot } from './user-snapshot.ts';

const label = 'not the last enabled administrator';
const passed: Check = {
  label,
  result: 'passed',
  words: 'this is not the last enabled administrator',
};

/** As long as a person waits for a request to be made. */
const patienceMs = 5000;

/**
 * Refuses to lose an administrator whom no other enabled user can stand in for. What could not be
 * looked through in time is refused too: this is the one mistake that nobody could mend.
 */
export async function checkLastAdministrator(
  snapshot: UserSnapshot,
  { client, subjectsUnderWay }: Pick<CheckContext, 'client' | 'subjectsUnderWay'>,
  signal: AbortSignal = AbortSignal.timeout(patienceMs),
): Promise<Check> {
  const { id, roles, isEnabled } = snapshot;
  if (roles === null) {
    return notCheckable('the service does not tell roles');
  }
  if (isEnabled === false || roles.length === 0) return passed;
  try {
    const names = await readNames(client, id, { signal });
    const powers = administratorPowers(roles, names);
    if (powers.length > 0) {
      const away = new Set([...subjectsUnderWay, id]);
      return checked(await powersLost(client, { powers, names, away, signal }), names);
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

function checked([lost]: Power[], names: RoleNames): Check {
  if (!lost) return passed;
  const where = lost.unitId === undefined ? 'everywhere' : 'in the same unit';
  const role = bold(names.get(lost.roleId) ?? lost.roleId, 100);
  const detail = `This would lose the last enabled administrator: Belay sees nobody else with the role ${role} ${where} who is confirmed, enabled and not about to go. Please give that role to someone else first.`;
  return { label, result: 'refused', detail };
}

type Search = { powers: Power[]; names: RoleNames; away: Set<string>; signal: AbortSignal };

/** The powers that none of the others has. */
async function powersLost(
  client: ServiceClient,
  { powers, names, away, signal }: Search,
): Promise<Power[]> {
  let lost = powers;
  for await (const { items } of listUsers(client, { signal })) {
    for (const listed of items) {
      if (away.has(listed.id) || !lost.some((power) => standsIn(listed, power, names))) continue;
      // Lists may say less than a single reading: in version 1 of users they leave out the units.
      const user = await findUser(client, listed.id, { signal });
      lost = lost.filter((power) => !user || !standsIn(user, power, names));
      if (lost.length === 0) return [];
    }
  }
  return lost;
}

/** Somebody who was invited and never came can be of no help. */
function standsIn(user: User, power: Power, names: RoleNames): boolean {
  if (user.isEnabled !== true || user.isConfirmed === false) return false;
  return hasPower(snapshotOf(user).roles ?? [], power, names);
}

async function readNames(
  client: ServiceClient,
  id: string,
  options: CallOptions,
): Promise<RoleNames> {
  const user = await findUser(client, id, options);
  const names = new Map<string, string>();
  for (const { roleId, roleName } of user?.roles ?? []) if (roleName) names.set(roleId, roleName);
  try {
    for await (const { items } of listRoles(client, options)) {
      for (const role of items) if (role.name) names.set(role.id, role.name);
    }
  } catch (error) {
    if (!isWithoutList(error)) throw error;
  }
  return names;
}

/** The service tells no roles, or not to this token: another failure could pass. */
function isWithoutList(error: unknown): boolean {
  return (
    error instanceof OperationUnavailableError ||
    error instanceof ForbiddenError ||
    error instanceof NotFoundError
  );
}
