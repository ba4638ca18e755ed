import type { SlackClient } from './slack-client.ts';

/** Someone as Slack knows them at this moment; never cached, because rights are checked live. */
export type Person = {
  slackUserId: string;
  /** Admin or owner of this workspace. */
  isAdmin: boolean;
  /** Undefined when Slack does not show it (a missing scope, or no address). */
  email: string | undefined;
  /** IANA name, as the person has set it in Slack. */
  timeZone?: string | undefined;
  standing: 'member' | 'guest' | 'elsewhere' | 'deactivated' | 'bot';
};

/** Reads a person's standing in the workspace `teamId` (`users.info`). */
export async function readPerson(
  slack: SlackClient,
  teamId: string,
  slackUserId: string,
): Promise<Person> {
  const { user } = await slack.users.info({ user: slackUserId });
  if (!user) throw new Error('Slack answered users.info without a user');
  return {
    slackUserId,
    isAdmin: user.is_admin === true || user.is_owner === true || user.is_primary_owner === true,
    email: user.profile?.email,
    timeZone: user.tz,
    standing: standingOf(user, teamId),
  };
}

type SlackUser = NonNullable<Awaited<ReturnType<SlackClient['users']['info']>>['user']>;

function standingOf(user: SlackUser, teamId: string): Person['standing'] {
  if (user.deleted) return 'deactivated';
  if (user.is_bot) return 'bot';
  // On Enterprise Grid `team_id` may be another workspace of the same person's list.
  const teams = [user.team_id, ...(user.enterprise_user?.teams ?? [])];
  if (user.is_stranger || !teams.includes(teamId)) return 'elsewhere';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return 'member';
}

/** Why someone who is not a full member may neither ask nor decide, in words for them. */
export function refusalOf(standing: Exclude<Person['standing'], 'member'>): string {
  const who = {
    guest: 'guests of this workspace',
    elsewhere: 'people from other workspaces',
    deactivated: 'deactivated accounts',
    bot: 'bots',
  }[standing];
  return `Belay is not open to ${who}. Nothing was changed. Please ask a full member to do this for you.`;
}
