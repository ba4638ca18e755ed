import { limits } from '../../../../slack/ui/limits.ts';
import { code } from '../../../../slack/ui/mrkdwn.ts';
import { formatActivity, type UserIdentity, userMrkdwn } from '../format-user.ts';

/** Limits names and times, so that fifty users fit into a message even if every character is escaped. */
const maxName = 50;

/**
 * Users as lines of mrkdwn, as many in one text as fit into a section. The id tells two users with the
 * same look apart, so it is whole.
 */
export function listUsers(
  users: (UserIdentity & { lastActivity?: string | undefined })[],
): string[] {
  return joinLines(
    users.map((user) =>
      [
        `• ${userMrkdwn(user, maxName)}`,
        `User ID ${code(user.id)}`,
        `last activity: ${formatActivity(user.lastActivity, maxName)}`,
      ].join(' · '),
    ),
  );
}

/** Texts of whole lines, each short enough for a section. */
export function joinLines(lines: string[]): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    const joined = last === undefined ? line : `${last}\n${line}`;
    if (last !== undefined && joined.length <= limits.sectionText) texts[texts.length - 1] = joined;
    else texts.push(line);
  }
  return texts;
}
