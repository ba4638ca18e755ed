import type { User } from '../../../dataprotection/resources/users.ts';
import { bold, code, moment, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import { noValue } from '../../../slack/ui/unknown-fields.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import { plural } from '../../../slack/ui/words.ts';

/** Enough of a user to name them. */
export type UserIdentity = Pick<User, 'id' | 'fullName' | 'email'>;

/** "*Ana Silva* (`ana@example.com`)": the name alone can be shared by two people. */
export function userMrkdwn({ id, fullName, email }: UserIdentity): string {
  const detail = code(visible(email) ?? `id ${id}`, 120);
  const name = visible(fullName);
  return name ? `${bold(name, 120)} (${detail})` : detail;
}

/** The same without markup, exactly as the service has it: for the audit log. */
export function userText({ id, fullName, email }: UserIdentity): string {
  const name = visible(fullName);
  const detail = visible(email) ?? `id ${id}`;
  return name ? `${name} (${detail})` : detail;
}

/** The same for places that show plain text. */
export function userPlain(user: UserIdentity): string {
  return showExactly(userText(user));
}

/** The shortest way to name a user, who may have no name, or a blank one. */
export function userTitle({ id, fullName, email }: UserIdentity): string {
  return visible(fullName) ?? visible(email) ?? `User ${id}`;
}

/** Undefined for text that would show nothing. */
function visible(text: string | undefined): string | undefined {
  return text && isVisible(text) ? text : undefined;
}

export function formatState({ isEnabled, isConfirmed }: User): string {
  if (isEnabled === undefined) return 'state not told by the service';
  if (!isEnabled) return 'disabled';
  return isConfirmed === false ? 'enabled, invitation not yet confirmed' : 'enabled';
}

/** A role and the units in which the user has it, by name. */
export type RoleAccess = { role: string; units: string[] };

/** One text per role, with its units. */
export function formatAccess(access: RoleAccess[]): string[] {
  return access.map(({ role, units }) => {
    const where = units.map((unit) => safeName(unit, 100)).join(', ');
    return where ? `${safeName(role, 100)} in ${where}` : safeName(role, 100);
  });
}

/** A timestamp of the service in the reader's time zone, or as it is when it can't be parsed. */
export function formatTimestamp(value: string | undefined): string {
  if (value === undefined) return noValue;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? safe(value) : moment(at);
}

/** When a deletion happens, and until when it can be canceled; `graceMinutes` as in the request. */
export function deletionWarning(graceMinutes: number): string {
  if (graceMinutes === 0) return 'This cannot be undone.';
  const delay =
    graceMinutes % 60 === 0 ? plural(graceMinutes / 60, 'hour') : plural(graceMinutes, 'minute');
  return `They are disabled at once and deleted ${delay} later. Until then *Keep this user* takes it back; after that it cannot be undone.`;
}
