import { type MonotonicClock, monotonicClock } from '../../clock.ts';
import { findMember, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Access } from './access.ts';
import { maxAgeMs } from './group-directory.ts';

const maxKnown = 1000;

/**
 * Whether a person may be sent what watches and digests post in direct messages: a full member who may
 * use Belay. Remembered for a minute, as the members of groups are, but only a positive result: after
 * a negative one the person's watches are paused, and must not be paused again once the person has regained
 * access and resumed them.
 */
export function createDirectReaders({
  access,
  now = monotonicClock,
}: {
  access: Pick<Access, 'authorize'>;
  now?: MonotonicClock;
}): (slack: SlackClient, slackUserId: string) => Promise<boolean> {
  const knownSince = new Map<string, number>();

  return async (slack, slackUserId) => {
    const key = `${slack.teamId} ${slackUserId}`;
    const readAt = now();
    const since = knownSince.get(key);
    if (since !== undefined && readAt - since < maxAgeMs) return true;
    if (!(await mayReadNow(access, slack, slackUserId))) return false;
    if (knownSince.size >= maxKnown) knownSince.clear();
    knownSince.set(key, readAt);
    return true;
  };
}

/** The same at this moment: not remembered. @throws GroupUnreadError while that isn't known */
export async function mayReadNow(
  access: Pick<Access, 'authorize'>,
  slack: SlackClient,
  slackUserId: string,
): Promise<boolean> {
  const member = await findMember(readPerson(slack, slackUserId));
  return member !== undefined && !('refusal' in (await access.authorize(member, slack)));
}
