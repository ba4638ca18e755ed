import { isRecipientGone } from './error-codes.ts';
import type { SlackClient } from './slack-client.ts';

/** A person as Slack describes them now. Never cached, because rights are checked live. */
export type Person = {
  slackUserId: string;
  /** Admin or owner of this workspace, or an admin of Belay by role. */
  isAdmin: boolean;
  /** Undefined when Slack does not show it: a missing scope, or no address. */
  email: string | undefined;
  /** The full name in Slack, which anybody can choose for themselves. */
  name?: string | undefined;
  /** The IANA name that the person has set in Slack. */
  timeZone?: string | undefined;
  membership: 'member' | 'guest' | 'external' | 'deactivated' | 'bot';
  /** What the roles of the workspace say about the person; undefined where it has named none. */
  standing?: Standing | undefined;
  /** The approvers this person stands in for now, without stand-ins of their own. */
  standsInFor?: readonly Person[] | undefined;
};

/** Ids of people (`U…`, `W…`) and user groups (`S…`). */
type Standing = {
  /** The groups with a role that the person is in. */
  groups: readonly string[];
  /** The groups with a role whose members Slack didn't return. */
  unreadGroups: readonly string[];
  /** Who has the role of an admin besides Slack's own admins. */
  admins: readonly string[];
};

/**
 * Reads a person and their membership in the client's workspace.
 * https://docs.slack.dev/reference/methods/users.info
 */
export async function readPerson(slack: SlackClient, slackUserId: string): Promise<Person> {
  const { user } = await slack.users.info({ user: slackUserId });
  if (!user) throw new Error('Slack answered users.info without a user');
  return toPerson(user, slack, slackUserId);
}

/** The person who is being read; undefined if Slack doesn't know them in this workspace. */
export async function findPerson(reading: Promise<Person>): Promise<Person | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRecipientGone(error)) return undefined;
    throw error;
  }
}

/** The person who is being read, if that is an active full member. */
export async function findMember(reading: Promise<Person>): Promise<Person | undefined> {
  const person = await findPerson(reading);
  return person?.membership === 'member' ? person : undefined;
}

/** https://docs.slack.dev/reference/objects/user-object */
export function toPerson(
  user: SlackUser,
  { teamId, organizationId }: Pick<SlackClient, 'teamId' | 'organizationId'>,
  slackUserId: string,
): Person {
  // With an organization's token, these are the rights in the workspace that the user object names.
  const isAboutTeam = organizationId === undefined || user.team_id === teamId;
  const isAdmin = user.is_admin || user.is_owner || user.is_primary_owner;
  return {
    slackUserId,
    isAdmin: isAboutTeam && isAdmin === true,
    email: user.profile?.email,
    name: user.profile?.real_name || user.real_name || undefined,
    timeZone: user.tz,
    membership: membershipOf(user, teamId),
  };
}

/** As `users.info` and `users.list` return it. */
type SlackUser =
  | NonNullable<Awaited<ReturnType<SlackClient['users']['info']>>['user']>
  | NonNullable<Awaited<ReturnType<SlackClient['users']['list']>>['members']>[number];

function membershipOf(user: SlackUser, teamId: string): Person['membership'] {
  if (user.deleted) return 'deactivated';
  if (user.is_bot) return 'bot';
  // On Enterprise Grid `team_id` may be another of the person's workspaces.
  const teams = [user.team_id, ...(user.enterprise_user?.teams ?? [])];
  if (('is_stranger' in user && user.is_stranger) || !teams.includes(teamId)) return 'external';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return 'member';
}
