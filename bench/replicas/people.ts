import type { WorkspacePerson } from '../../playground/slack/workspace.ts';

const numbers = [1, 2, 3, 4, 5];

/** Nobody is both an approver and a requester, and nobody is a user of the service. */
export const approvers = numbers.map((n) => `U0APPROVE0${n}`);
export const requesters = numbers.map((n) => `U0REQUEST0${n}`);

/** They only send commands. */
export const commandPeople = numbers.map((n) => `U0COMMAND0${n}`);
export const probePerson = 'U0PROBER01';

export const benchPeople: WorkspacePerson[] = [
  ...approvers.map((id, index) => member(id, `approver${index + 1}`, 'approver')),
  ...requesters.map((id, index) => member(id, `requester${index + 1}`, 'operator')),
  ...commandPeople.map((id, index) => member(id, `operator${index + 1}`, 'operator')),
  member(probePerson, 'prober', 'operator'),
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
