import type { User } from '../../dataprotection/users.ts';
import { bold, code } from '../../slack/mrkdwn.ts';

/** Enough of a user to say who is meant. */
export type UserIdentity = Pick<User, 'id' | 'fullName' | 'email'>;

/** "*Ana Silva* (`ana@example.com`)": the name alone can be shared by two people. */
export function userMrkdwn({ id, fullName, email }: UserIdentity): string {
  const detail = code(email ?? `id ${id}`, 120);
  return fullName ? `${bold(fullName, 120)} (${detail})` : detail;
}

/** The same for places that show plain text. */
export function userPlain({ id, fullName, email }: UserIdentity): string {
  const detail = email ?? `id ${id}`;
  return fullName ? `${fullName} (${detail})` : detail;
}

export function stateText({ isEnabled, isConfirmed }: User): string {
  if (isEnabled === undefined) return 'state not told by the service';
  if (!isEnabled) return 'disabled';
  return isConfirmed === false ? 'enabled, invitation not yet confirmed' : 'enabled';
}
