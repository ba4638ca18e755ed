import { mailboxOf } from '../../mailbox.ts';
import { readInstallation } from '../../slack/api/installation.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { isUserGroup } from '../../workspace/members.ts';

/** What the saved setup points out about Slack. */
export type SlackNotices = {
  /**
   * The people whose email address Slack doesn't show: they can't take part in a decision. If Slack
   * shows no address at all, the app probably lacks the scope `users:read.email`.
   * https://docs.slack.dev/reference/scopes/users.read.email
   */
  hiddenAddresses: string[];
  /** The scopes of events that the app lacks until it is installed again. */
  missingEventScopes: string[];
};

/** `slackIds`: the people who make and approve changes of the setup; groups are left out. */
export async function findSlackNotices(
  slackIds: string[],
  slack: SlackClient,
): Promise<SlackNotices> {
  const ids = [...new Set(slackIds)].filter((id) => !isUserGroup(id));
  const [people, installation] = await Promise.all([
    Promise.all(ids.map((id) => readPerson(slack, id))),
    readInstallation(slack),
  ]);
  const hidden = people.filter(({ email }) => mailboxOf(email) === undefined);
  const missing = installation.outcome === 'ok' ? installation.missingEventScopes : undefined;
  return {
    hiddenAddresses: hidden.map(({ slackUserId }) => slackUserId),
    missingEventScopes: missing ?? [],
  };
}
