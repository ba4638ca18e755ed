import { bold, code, safeName } from '../../../slack/ui/mrkdwn.ts';
import { type RoleSnapshot, roleKey, type UserSnapshot } from '../stored-user.ts';

/** What differs between two snapshots, one sentence each, mrkdwn; none only for equal ones. */
export function userDifferences(before: UserSnapshot, after: UserSnapshot): string[] {
  return [
    ...difference('User ID', before.id, after.id, code),
    ...difference('Email address', before.email, after.email, safeName),
    ...difference('Name', before.fullName, after.fullName, bold),
    ...stateDifference(before.isEnabled, after.isEnabled, { yes: 'enabled', no: 'disabled' }),
    ...stateDifference(before.isConfirmed, after.isConfirmed, {
      yes: 'confirmed',
      no: 'not confirmed',
    }),
    ...roleDifferences(before.roles, after.roles),
  ];
}

function difference(
  what: string,
  before: string | null,
  after: string | null,
  show: (text: string, max: number) => string,
): string[] {
  if (before === after) return [];
  const shown = (value: string | null) => (value === null ? '(unavailable)' : show(value, 120));
  return [`${what} changed from ${shown(before)} to ${shown(after)}.`];
}

function stateDifference(
  before: boolean | null,
  after: boolean | null,
  words: { yes: string; no: string },
): string[] {
  if (before === after) return [];
  const word = (state: boolean) => (state ? words.yes : words.no);
  if (after === null) return [`The service no longer shows whether the account is ${words.yes}.`];
  if (before === null)
    return [`The account is ${word(after)}, which the service didn't show before.`];
  return [`The account was ${word(before)} and is now ${word(after)}.`];
}

const maxListedRoles = 5;

function roleDifferences(before: RoleSnapshot[] | null, after: RoleSnapshot[] | null): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (before === null) return ["The service now shows roles, which it didn't before."];
  if (after === null) return ['The service no longer shows roles.'];
  const sentences = [
    ...roleSentences('Role added', rolesMissingIn(before, after)),
    ...roleSentences('Role removed', rolesMissingIn(after, before)),
  ];
  return sentences.length > 0 ? sentences : ['Role assignments changed.'];
}

function rolesMissingIn(others: RoleSnapshot[], roles: RoleSnapshot[]): RoleSnapshot[] {
  const known = new Set(others.map(roleKey));
  return roles.filter((role) => !known.has(roleKey(role)));
}

function roleSentences(what: string, roles: RoleSnapshot[]): string[] {
  const more = roles.length - maxListedRoles;
  return [
    ...roles.slice(0, maxListedRoles).map((role) => `${what}: ${roleText(role)}.`),
    ...(more > 0 ? [`${what}: ${more} more.`] : []),
  ];
}

function roleText({ roleId, unitIds }: RoleSnapshot): string {
  const [first, ...others] = unitIds;
  if (first === undefined) return `${code(roleId, 60)} in all organizational units`;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${code(roleId, 60)} in organizational unit ${code(first, 60)}${more}`;
}
