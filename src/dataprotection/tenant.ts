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

/** Fewer could be the same administrators in two tenants. */
const minShared = 3;

/**
 * Whether two tokens of one region see the same tenant and unit. No interface of the service names the
 * tenant, so this compares the users that both see. Seen at the same moment, they must be the same
 * users; after a while, one in ten may have come or gone. In doubt, the tenants count as different.
 */
export function isSameTenant(
  before: TenantMarks,
  after: TenantMarks,
  { isSameMoment }: { isSameMoment: boolean },
): boolean {
  const [known, seen] = [new Set(before.users), new Set(after.users)];
  const shared = [...seen].filter((mark) => known.has(mark)).length;
  const most = Math.max(known.size, seen.size);
  const isSameUnit = String(before.units) === String(after.units);
  return isSameUnit && shared >= minShared && shared >= (isSameMoment ? most : most * 0.9);
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
