import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';

/** Why this person can have no part in a request that may be about themselves; undefined if none. */
export function subjectRefusal(
  isSubject: 'no' | 'yes' | 'unknown',
  { slackUserId }: Person,
): string | undefined {
  if (isSubject === 'no') return undefined;
  const who = mention(slackUserId);
  return isSubject === 'yes'
    ? `It is about ${who} themselves: the addresses are the same.`
    : `Belay cannot tell whether it is about ${who} themselves, because an e-mail address is missing in Slack or in the service.`;
}
