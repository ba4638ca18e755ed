import { mailboxOf } from '../../mailbox.ts';
import { readInstallation } from '../../slack/api/installation.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';

/** What the saved setup points out about Slack. */
export type SlackNotices = {
  /**
   * Of those who decide, the people whose e-mail address Slack doesn't show: they can take no part in
   * a decision. If it is all of them, the app probably lacks the scope `users:read.email`.
   * https://docs.slack.dev/reference/scopes/users.read.email
   */
  hiddenAddresses: string[];
  /** Scopes of events that an installation from before has to be given by installing again. */
  missingEventScopes: string[];
};

/** `slackUserIds`: those who decide. */
export async function findSlackNotices(
  slackUserIds: string[],
  { slack, teamId }: { slack: SlackClient; teamId: string },
): Promise<SlackNotices> {
  const ids = [...new Set(slackUserIds)];
  const [people, installation] = await Promise.all([
    Promise.all(ids.map((id) => readPerson(slack, teamId, id))),
    readInstallation(slack),
  ]);
  const hidden = people.filter(({ email }) => mailboxOf(email) === undefined);
  const missing = installation.outcome === 'ok' ? installation.missingEventScopes : undefined;
  return {
    hiddenAddresses: hidden.map(({ slackUserId }) => slackUserId),
    missingEventScopes: missing ?? [],
  };
}
