import { type Person, readPerson } from '../api/person.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { Interaction } from './interaction.ts';
import type { FailureDependencies } from './report-failure.ts';

/** Who called which listener, as the payload says; nothing has been checked yet. */
export type Caller = {
  teamId: string;
  enterpriseId: string | undefined;
  slackUserId: string;
  slack: SlackClient;
  listener: string;
};

/**
 * Lets only full members of this workspace continue. Slack is asked each time, because people join,
 * leave and become guests.
 */
export async function authorizeCaller(
  { slackUserId, listener, ...caller }: Caller,
  { log }: Pick<FailureDependencies, 'log'>,
): Promise<Interaction | { refusal: string }> {
  const person = await readPerson(caller.slack, caller.teamId, slackUserId);
  const callerLog = log.child({ teamId: caller.teamId, slackUserId, listener });
  const { membership } = person;
  if (membership === 'member') return { ...caller, person, log: callerLog };
  callerLog.warn({ membership }, 'refused someone who is not a full member');
  return { refusal: refusalFor(membership) };
}

function refusalFor(membership: Exclude<Person['membership'], 'member'>): string {
  const who = {
    guest: 'guests of this workspace',
    external: 'people from other workspaces',
    deactivated: 'deactivated accounts',
    bot: 'bots',
  }[membership];
  return `Belay is not open to ${who}. Nothing was changed. Please ask a full member to do this for you.`;
}
