import { mailboxOf } from '../../mailbox.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';

/**
 * Of these people (Slack user ids), those whose e-mail address Slack doesn't show: they can take no
 * part in a decision. If it is all of them, the app probably lacks the scope `users:read.email`.
 * https://docs.slack.dev/reference/scopes/users.read.email
 */
export async function findHiddenAddresses(
  slackUserIds: string[],
  { slack, teamId }: { slack: SlackClient; teamId: string },
): Promise<string[]> {
  const ids = [...new Set(slackUserIds)];
  const people = await Promise.all(ids.map((id) => readPerson(slack, teamId, id)));
  return people.flatMap(({ slackUserId, email }) =>
    mailboxOf(email) === undefined ? [slackUserId] : [],
  );
}
