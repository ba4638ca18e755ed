import type { User } from '../../../dataprotection/resources/users.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { joinToSections } from '../../../slack/ui/blocks.ts';
import { bold, code, moment, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import { plural } from '../../../slack/ui/words.ts';

/** Enough of a user to name them. */
type UserIdentity = Pick<User, 'id' | 'fullName' | 'email'>;

/**
 * "*Ana Silva* (ana@example.com)": the name alone can be shared by two people. Each is cut to `max`
 * characters.
 */
export function userMrkdwn(user: UserIdentity, max = 120): string {
  const name = visible(user.fullName);
  const detail = detailOf(user);
  return name ? `${bold(name, max)} (${safeName(detail, max)})` : bold(detail, max);
}

/** The subject of a sentence: "*Ana Silva*'s account (ana@example.com)". */
export function accountMrkdwn(user: UserIdentity): string {
  const name = visible(user.fullName);
  const detail = safeName(detailOf(user), 120);
  return name ? `${bold(name, 120)}'s account (${detail})` : `The account *${detail}*`;
}

/** The same without markup, exactly as the service has it: for the audit log. */
export function userText(user: UserIdentity): string {
  const name = visible(user.fullName);
  const detail = detailOf(user);
  return name ? `${name} (${detail})` : detail;
}

function detailOf({ id, email }: UserIdentity): string {
  return visible(email) ?? `id ${id}`;
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
  if (isEnabled === undefined) return 'state unavailable';
  if (!isEnabled) return 'disabled';
  return isConfirmed === false ? 'enabled, invitation not accepted' : 'enabled';
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

/**
 * The last activity in the reader's time zone, or as the service says it when it can't be parsed, cut to
 * `max` characters.
 */
export function formatActivity(value: string | undefined, max?: number): string {
  if (value === undefined) return 'never';
  const at = parseTimestamp(value);
  return at ? moment(at) : safe(value, max);
}

/** Limits names and times, so that fifty users fit into a message even if every character is escaped. */
const maxListedName = 50;

/**
 * Users as lines of mrkdwn, as many in one text as fit into a section. The id tells two users with the
 * same look apart, so it is whole.
 */
export function listUsers(
  users: (UserIdentity & { lastActivity?: string | undefined })[],
): string[] {
  return joinToSections(
    users.map((user) =>
      [
        `• ${userMrkdwn(user, maxListedName)}`,
        `User ID ${code(user.id)}`,
        `last activity: ${formatActivity(user.lastActivity, maxListedName)}`,
      ].join(' · '),
    ),
  );
}

/**
 * When a deletion happens, and until when it can be canceled; `graceMinutes` and `isEnabled` as in the
 * request.
 */
export function deletionWarning(
  graceMinutes: number,
  isEnabled: boolean | undefined,
  subject: 'the user is' | 'the users are' = 'the user is',
): string {
  if (graceMinutes === 0) {
    return `If approved, ${subject} deleted immediately. This can't be undone.`;
  }
  const delay =
    graceMinutes % 60 === 0 ? plural(graceMinutes / 60, 'hour') : plural(graceMinutes, 'minute');
  const before = isEnabled === false ? '' : 'disabled immediately and ';
  return `If approved, ${subject} ${before}deleted after ${delay}. Until then you can cancel the deletion. After that it can't be undone.`;
}

export const cancelDeletionTexts = {
  button: 'Cancel deletion',
  effect:
    'The user is not deleted. If Belay disabled the account for this deletion, it is enabled again.',
  condition: 'unless canceled',
  tooLate: 'Too late to cancel: the deletion is already running.',
  failed: "The deletion was canceled, but Belay couldn't enable the account again.",
  unknown: "The deletion was canceled. Belay doesn't know whether the account is enabled again.",
};

/** "2 users match "kim lee"." */
export function formatMatches(count: number, query: string): string {
  return `${plural(count, 'user matches', 'users match')} “${safeName(query, 100)}”.`;
}

export const incompleteSearch = 'The service was slow, so Belay searched only some of its users.';
