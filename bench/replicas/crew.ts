import type { WorkspacePerson } from '../../playground/slack/workspace.ts';

const five = [1, 2, 3, 4, 5];

/** Whoever may decide, and whoever asks: nobody is both, and nobody is a user of the service. */
export const approvers = five.map((n) => `U0JUDGE000${n}`);
export const requesters = five.map((n) => `U0ASKER000${n}`);

export const crew: WorkspacePerson[] = [
  ...approvers.map((id, index) => member(id, `judge${index + 1}`, 'approver')),
  ...requesters.map((id, index) => member(id, `requester${index + 1}`, 'operator')),
];

function member(slackUserId: string, name: string, title: string): WorkspacePerson {
  return {
    slackUserId,
    teamId: 'T0HARBOR01',
    name,
    realName: name,
    email: `${name}@harbor.example`,
    timeZone: 'Europe/Lisbon',
    title,
    isAdmin: false,
    isOwner: false,
    isGuest: false,
    isDeactivated: false,
  };
}
