import type { User } from '../../../dataprotection/resources/users.ts';
import { bold, code, moment, safe, stripBidiControls } from '../../../slack/ui/mrkdwn.ts';
import { noValue } from '../../../slack/ui/unknown-fields.ts';
import type { Access } from '../user-access.ts';

/** Enough of a user to say who is meant. */
export type UserIdentity = Pick<User, 'id' | 'fullName' | 'email'>;

/** "*Ana Silva* (`ana@example.com`)": the name alone can be shared by two people. */
export function userMrkdwn({ id, fullName, email }: UserIdentity): string {
  const detail = code(visible(email) ?? `id ${id}`, 120);
  const name = visible(fullName);
  return name ? `${bold(name, 120)} (${detail})` : detail;
}

/** The same for places that show plain text. */
export function userPlain({ id, fullName, email }: UserIdentity): string {
  const name = visible(fullName);
  const detail = visible(email) ?? `id ${id}`;
  return name ? `${name} (${detail})` : detail;
}

/** The shortest way to name a user: one has no name, another one of blanks. */
export function userTitle({ id, fullName, email }: UserIdentity): string {
  return visible(fullName) ?? visible(email) ?? `User ${id}`;
}

/** Undefined for what would show nothing. */
function visible(text: string | undefined): string | undefined {
  return (text && stripBidiControls(text).trim()) || undefined;
}

export function stateText({ isEnabled, isConfirmed }: User): string {
  if (isEnabled === undefined) return 'state not told by the service';
  if (!isEnabled) return 'disabled';
  return isConfirmed === false ? 'enabled, invitation not yet confirmed' : 'enabled';
}

/** Each role with where it holds. */
export function accessTexts(access: Access[]): string[] {
  return access.map(({ role, units }) => {
    const where = units.map((unit) => safe(unit, 100)).join(', ');
    return where ? `${safe(role, 100)} in ${where}` : safe(role, 100);
  });
}

/** A time as the service told it: the reader's own when it can be read, else as it came. */
export function timestampText(value: string | undefined): string {
  if (value === undefined) return noValue;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? safe(value) : moment(at);
}
