import type { ServiceClient } from '../../dataprotection/client.ts';
import type { User } from '../../dataprotection/resources/users.ts';
import { mailboxOf } from '../../mailbox.ts';
import type { Check } from '../../requests/action.ts';
import { bold, safeName } from '../../slack/ui/mrkdwn.ts';
import type { ProtectedUsers } from '../../workspace/rules.ts';
import { readRoleNames } from './preview-user.ts';

const label = 'protected_user';

/**
 * Refuses to disable or delete a protected user. Also refuses if the service doesn't return enough about
 * the user to check that. Undefined in a workspace without protected users.
 */
export async function checkProtectedUser(
  client: ServiceClient,
  user: User,
  protectedUsers: ProtectedUsers,
): Promise<Check | undefined> {
  if (Object.values(protectedUsers).every((listed) => listed.length === 0)) return undefined;
  const why = await readProtection(client, user, protectedUsers);
  return why === undefined
    ? { label, result: 'passed', words: "this user isn't protected" }
    : { label, result: 'refused', detail: why };
}

/** Why the user can't be disabled or deleted: mrkdwn. */
export async function readProtection(
  client: ServiceClient,
  user: User,
  { roles, ...addressed }: ProtectedUsers,
): Promise<string | undefined> {
  const byAddress = protectedByAddress(user, addressed);
  if (byAddress !== undefined || roles.length === 0) return byAddress;
  return protectedByRole(user, roles, await readRoleNames(client, [user]));
}

const never = 'Belay never disables or deletes protected users.';

function protectedByAddress(
  { email }: Pick<User, 'email'>,
  { addresses, domains }: Pick<ProtectedUsers, 'addresses' | 'domains'>,
): string | undefined {
  if (addresses.length + domains.length === 0) return undefined;
  const mailbox = mailboxOf(email);
  if (mailbox === undefined) {
    return "The service shows no email address for this user, so Belay can't tell whether this is a protected user.";
  }
  const address = addresses.find((one) => mailboxOf(one) === mailbox);
  if (address !== undefined) {
    return `Protected user: the address ${safeName(address, 120)} is protected. ${never}`;
  }
  const domain = domains.find((one) => isInDomain(mailbox, one));
  return domain === undefined
    ? undefined
    : `Protected user: addresses at ${safeName(domain, 120)} are protected. ${never}`;
}

/** Subdomains included: protecting one user too many does less harm than missing one. */
function isInDomain(mailbox: string, domain: string): boolean {
  const protectedDomain = domainOf(mailboxOf(`x@${domain.replace(/^(?:\*\.|@|\.)/, '')}`));
  const own = domainOf(mailbox);
  if (protectedDomain === undefined || own === undefined) return false;
  return own === protectedDomain || own.endsWith(`.${protectedDomain}`);
}

const domainOf = (mailbox: string | undefined) => mailbox?.slice(mailbox.lastIndexOf('@') + 1);

/** One spelling of the name or id of a role. */
function normalizeRole(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** `protectedRoles`: names or ids, which ignore case. */
export function isProtectedRole(
  { id, name }: { id: string; name?: string | undefined },
  protectedRoles: readonly string[],
): boolean {
  const folded = new Set(protectedRoles.map(normalizeRole));
  return folded.has(normalizeRole(id)) || (name !== undefined && folded.has(normalizeRole(name)));
}

function protectedByRole(
  { roles }: Pick<User, 'roles'>,
  protectedRoles: readonly string[],
  names: ReadonlyMap<string, string>,
): string | undefined {
  if (!roles) {
    return "The service doesn't show roles, so Belay can't tell whether this user has a protected role. Ask an admin to remove the protected roles with `/belay access`, or make the change in the service's portal.";
  }
  const held = roles.map(({ roleId, roleName }) => ({
    roleId,
    name: roleName ?? names.get(roleId),
  }));
  const found = held.find(({ roleId: id, name }) => isProtectedRole({ id, name }, protectedRoles));
  if (found) {
    return `Protected user: the role ${bold(found.name ?? found.roleId, 100)} is protected. ${never}`;
  }
  const unnamed = held.find(({ name }) => name === undefined);
  return unnamed === undefined
    ? undefined
    : `Belay couldn't read the name of the role ${bold(unnamed.roleId, 100)}, so Belay can't tell whether this user has a protected role. Try again in a minute, or make the change in the service's portal.`;
}
