import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { OrganizationalUnit } from './resources/organizational-units.ts';
import type { User } from './resources/users.ts';

/** What a token sees that distinguishes its tenant from others. */
export const tenantMarks = z.object({
  /** A hash for each user of the first page. */
  users: z.array(z.string()),
  /** Ids of the topmost units; undefined if the connection names its unit or none are listed. */
  units: z.array(z.string()).optional(),
});
export type TenantMarks = z.infer<typeof tenantMarks>;

/** An id alone would not do: two tenants may both number their users from 1. */
export function markTenant(users: User[], units: OrganizationalUnit[] | undefined): TenantMarks {
  const marks = users.flatMap(({ id, email }) => (email ? [hashUser(id, email)] : []));
  return { users: marks, units: units && topmost(units) };
}

/**
 * Whether two tokens of one region see the same tenant and unit. No interface of the service names the
 * tenant, so this compares the users that both see; some may have come and gone meanwhile. False if
 * that proves nothing.
 */
export function isSameTenant(before: TenantMarks, after: TenantMarks): boolean {
  const known = new Set(before.users);
  const shared = after.users.filter((mark) => known.has(mark)).length;
  const most = Math.max(before.users.length, after.users.length);
  const isSameUnit = String(before.units) === String(after.units);
  return isSameUnit && shared > 0 && shared * 2 >= most;
}

function hashUser(id: string, email: string): string {
  const hash = createHash('sha256').update(`${id}\0${email.toLowerCase()}`).digest('base64url');
  return hash.slice(0, 16);
}

function topmost(units: OrganizationalUnit[]): string[] {
  const ids = new Set<unknown>(units.map(({ id }) => id));
  return units
    .filter(({ otherFields }) => !ids.has(otherFields.parent_id))
    .map(({ id }) => id)
    .sort();
}
