import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { listOrganizationalUnits } from '../../dataprotection/resources/organizational-units.ts';
import { listRoles } from '../../dataprotection/resources/roles.ts';
import type { User } from '../../dataprotection/resources/users.ts';

/** A role in words, and where it holds. */
export type Access = { role: string; units: string[] };

const patienceMs = 3000;

/**
 * What a user may do where, by names; an id stays where the service does not name it. Undefined
 * when the service does not tell the roles of users.
 */
export async function readAccess(
  client: ServiceClient,
  { roles }: User,
): Promise<Access[] | undefined> {
  if (!roles) return undefined;
  const signal = AbortSignal.timeout(patienceMs);
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

type Named = { id: string; name?: string | undefined };

/** As many as could be read: a card with ids is better than none. */
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
