import { bold, code } from '../../slack/ui/mrkdwn.ts';
import { type RoleSnapshot, roleKey, type UserSnapshot } from './stored-user.ts';

/** What differs between two snapshots, one sentence each, mrkdwn; none only for equal ones. */
export function userDifferences(before: UserSnapshot, after: UserSnapshot): string[] {
  return [
    ...difference('User id', before.id, after.id, code),
    ...difference('E-mail address', before.email, after.email, code),
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
  const shown = (value: string | null) => (value === null ? 'not told' : show(value, 120));
  return [`${what} was ${shown(before)}, is ${shown(after)} now.`];
}

function stateDifference(
  before: boolean | null,
  after: boolean | null,
  words: { yes: string; no: string },
): string[] {
  if (before === after) return [];
  const word = (state: boolean) => (state ? words.yes : words.no);
  if (after === null) return [`Whether they are ${words.yes} is not told any more.`];
  if (before === null) return [`They are ${word(after)} now, which was not told before.`];
  return [`They were ${word(before)}, and are ${word(after)} now.`];
}

const maxListedRoles = 5;

function roleDifferences(before: RoleSnapshot[] | null, after: RoleSnapshot[] | null): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (before === null) return ['The service did not tell their roles, and does now.'];
  if (after === null) return ['The service told their roles, and does not now.'];
  const sentences = [
    ...roleSentences('New role', rolesMissingIn(before, after)),
    ...roleSentences('Role taken away', rolesMissingIn(after, before)),
  ];
  return sentences.length > 0 ? sentences : ['Their roles are told in another way.'];
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
  if (first === undefined) return `${code(roleId, 60)} in every unit`;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${code(roleId, 60)} in unit ${code(first, 60)}${more}`;
}
