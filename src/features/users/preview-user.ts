import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { listOrganizationalUnits } from '../../dataprotection/resources/organizational-units.ts';
import { listRoles } from '../../dataprotection/resources/roles.ts';
import type { User } from '../../dataprotection/resources/users.ts';
import type { Detail } from '../../requests/action.ts';
import { cutMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { noValue } from '../../slack/ui/unknown-fields.ts';
import { formatAccess, formatActivity, type RoleAccess } from './views/format-user.ts';

/** The user as approvers see them in a request: mrkdwn. */
export async function previewUser(client: ServiceClient, user: User): Promise<Detail[]> {
  const access = await readAccess(client, user);
  return [
    { label: 'State', value: formatEnabled(user) },
    ...(user.isConfirmed === false ? [{ label: 'Invitation', value: 'not accepted' }] : []),
    ...(access ? [{ label: 'Roles', value: formatRoles(access) }] : []),
    { label: 'Last activity', value: formatActivity(user.lastActivityTimestamp) },
  ];
}

function formatEnabled({ isEnabled }: User): string {
  if (isEnabled === undefined) return 'unavailable';
  return isEnabled ? 'enabled' : 'disabled';
}

function formatRoles(access: RoleAccess[]): string {
  return cutMrkdwn(formatAccess(access).join('; '), 600) || noValue;
}

const readTimeoutMs = 3000;

/**
 * The user's roles and their units by name; ids where the service gives no name. Undefined when the
 * service does not show the roles of users.
 */
export async function readAccess(
  client: ServiceClient,
  { roles }: User,
): Promise<RoleAccess[] | undefined> {
  if (!roles) return undefined;
  const signal = AbortSignal.timeout(readTimeoutMs);
  const lacksName = roles.some(({ roleName }) => roleName === undefined);
  const hasUnits = roles.some(({ organizationalUnitIds }) => organizationalUnitIds.length > 0);
  const [roleNames, unitNames] = await Promise.all([
    lacksName ? readNames(listRoles(client, { signal })) : undefined,
    hasUnits ? readNames(listOrganizationalUnits(client, { signal })) : undefined,
  ]);
  return roles.map(({ roleId, roleName, organizationalUnitIds }) => ({
    role: roleName ?? roleNames?.get(roleId) ?? roleId,
    units: organizationalUnitIds.map((id) => unitNames?.get(id) ?? id),
  }));
}

/** The names of roles by id, for a list; none if every role has its name, or the service is slow. */
export async function readRoleNames(
  client: ServiceClient,
  users: User[],
): Promise<ReadonlyMap<string, string>> {
  const roles = users.flatMap((user) => user.roles ?? []);
  if (roles.every(({ roleName }) => roleName !== undefined)) return new Map();
  return readNames(listRoles(client, { signal: AbortSignal.timeout(readTimeoutMs) }));
}

type Named = { id: string; name?: string | undefined };

/** As many as could be read: showing ids is better than failing. */
async function readNames(pages: AsyncIterable<{ items: Named[] }>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const { items } of pages) {
      for (const { id, name } of items) if (name) names.set(id, name);
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  return names;
}
