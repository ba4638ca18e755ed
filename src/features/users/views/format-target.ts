import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { mentionedUser, unescapeMrkdwn } from '../../../slack/ui/mrkdwn.ts';

/**
 * What a person typed to name a user of the service, as plain text. Slack sends `@ana` as a mention,
 * which stands for that person's e-mail address, when Slack shows it.
 */
export async function readTarget(
  text: string,
  { slack, teamId }: { slack: SlackClient; teamId: string },
): Promise<{ target: string } | { hiddenAddress: string }> {
  const mentioned = mentionedUser(text);
  if (mentioned) {
    const { email } = await readPerson(slack, teamId, mentioned);
    return email ? { target: email } : { hiddenAddress: mentioned };
  }
  return { target: unescapeMrkdwn(text).trim() };
}
