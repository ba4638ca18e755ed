import type { WorkspacePerson } from '../../playground/slack/workspace.ts';

/** A full member, of whom a workspace can have any number. */
export function memberOf(teamId: string, index: number): WorkspacePerson {
  return {
    slackUserId: `U0MEMBER${index}`,
    teamId,
    name: `member${index}`,
    realName: `Member ${index}`,
    email: `member${index}@harbor.example`,
    timeZone: 'Europe/Lisbon',
    title: 'operator',
    isHidden: true,
    isAdmin: false,
    isOwner: false,
    isGuest: false,
    isDeactivated: false,
  };
}
