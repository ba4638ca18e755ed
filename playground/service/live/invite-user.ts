import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { roleByKey, roles } from '../data/roles.ts';
import type { Store } from '../data/store.ts';
import { errorResponse, invalidBody, json, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { User } from '../resources.ts';
import { renderSingleUser } from './users.ts';

const invitationMs = 7 * 24 * 60 * 60 * 1000;

/** Some of the domains that the service refuses because they are for personal mail. */
const personalDomains = ['gmail.com', 'hotmail.com', 'icloud.com', 'outlook.com', 'yahoo.com'];

const person = {
  email: z
    .email()
    .refine((email) => !personalDomains.includes(domainOf(email)), 'must be a work address'),
  full_name: z.string().trim().min(1),
};
const unitIds = z.array(z.string().min(1)).min(1);
const roleId = z.enum(roles.map(({ id }) => id)).nullish();

type Assignment = { role_id?: string | null | undefined; organizational_unit_ids: string[] };

const firstVersion = z
  .strictObject({ ...person, assigned_role: roleId, organizational_unit_ids: unitIds.nullish() })
  .transform(({ email, full_name, assigned_role: role_id, organizational_unit_ids }) => ({
    email,
    full_name,
    assignments: organizational_unit_ids ? [{ role_id, organizational_unit_ids }] : undefined,
  }));

const assignment = z.strictObject({ role_id: roleId, organizational_unit_ids: unitIds });
const secondVersion = z
  .strictObject({ ...person, access_control_configuration: z.array(assignment).min(1).nullish() })
  .transform(({ email, full_name, access_control_configuration }) => ({
    email,
    full_name,
    assignments: access_control_configuration ?? undefined,
  }));

/**
 * Creates a user who is enabled and not confirmed, which means invited. The public service sends a
 * mail now; there is no request to send it again, so a client deletes the user and invites anew.
 */
export function inviteUser(context: RequestContext): ServiceResponse {
  const { store, unit, grant, now, version } = context;
  const parsed = (version === 1 ? firstVersion : secondVersion).safeParse(context.body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { email, full_name, assignments } = parsed.data;
  if (assignments && store.isAutoProvisioned) {
    return errorResponse(400, 'Automatic provisioning sets the roles and units.');
  }
  const wanted = assignments ?? [{ organizational_unit_ids: [unit.id] }];
  const isVisible = (id: string) =>
    grant.unitIds.includes(id) && (unit.isDefault || id === unit.id);
  if (!wanted.every(({ organizational_unit_ids: ids }) => ids.every(isVisible))) {
    return errorResponse(403, 'This token may not work in that unit.');
  }
  if (store.users.all().some((user) => isSameAddress(user.email, email))) {
    return errorResponse(409, 'There is a user with this e-mail address.');
  }
  const access = wanted.map((one) => ({
    roleId: one.role_id ?? defaultRole(one, context),
    unitIds: one.organizational_unit_ids,
  }));
  const item: Owned<User> = {
    organizationalUnitId: access[0]?.unitIds[0] ?? unit.id,
    resource: {
      id: store.newUserId(),
      email,
      full_name,
      is_enabled: true,
      is_confirmed: false,
      inviter: store.ownerId,
      access,
      invitedAt: now.toISOString(),
    },
  };
  store.users.add(item);
  return json(200, renderSingleUser(item, version));
}

/**
 * What the person does who follows the link in the mail.
 * @returns false if the invitation has ended, which no response of the service shows
 */
export function acceptInvitation({ users }: Store, id: string, now: Date): boolean {
  const user = users.get(id);
  if (!user?.invitedAt || !user.is_enabled || user.is_confirmed) return false;
  if (now.getTime() - Date.parse(user.invitedAt) > invitationMs) return false;
  users.replace({ ...user, is_confirmed: true, last_activity_timestamp: now.toISOString() });
  return true;
}

/**
 * The documented default of version 1, which gives away the highest role. A choice for version 2,
 * whose default is unknown: a client that forgets the role should not get away with it.
 */
function defaultRole({ organizational_unit_ids }: Assignment, { unit }: RequestContext): string {
  const isSuperAdmin = unit.isDefault && organizational_unit_ids.includes(unit.id);
  return (isSuperAdmin ? roleByKey.superAdmin : roleByKey.unitAdmin).id;
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function domainOf(email: string): string {
  return email.toLowerCase().split('@').at(-1) ?? '';
}
