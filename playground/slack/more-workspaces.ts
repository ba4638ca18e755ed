import type { Organization } from './installations/installation.ts';
import type { SlackApp, Workspace, WorkspacePerson } from './workspace.ts';

type Names = { name: string; domain: string; people: [string, string, string] };

const named: Names[] = [
  {
    name: 'Orchard Cloud',
    domain: 'orchard-cloud',
    people: ['Mia Rossi', 'Noah Fischer', 'Olga Petrova'],
  },
  {
    name: 'Summit Labs',
    domain: 'summit-labs',
    people: ['Paul Nowak', 'Quinn Doyle', 'Rosa Jensen'],
  },
];

/** An organization of the second and the third workspace. */
export const sampleOrganization: Organization = {
  enterpriseId: 'E0GROUP001',
  name: 'Meridian Group',
  teamIds: ['T0W0000020', 'T0W0000030'],
  botUserId: 'U0GROUPBOT',
  botId: 'B0GROUPBOT',
};

const roles: Pick<WorkspacePerson, 'title' | 'isAdmin'>[] = [
  { title: 'operator', isAdmin: false },
  { title: 'approver', isAdmin: false },
  { title: 'workspace admin', isAdmin: true },
];

const namesOf = (number: number): Names =>
  named[number - 2] ?? {
    name: `Workspace ${number}`,
    domain: `workspace-${number}`,
    people: [`Operator ${number}`, `Approver ${number}`, `Admin ${number}`],
  };

/**
 * One more workspace with the same app: an operator, an approver and an admin, and a few channels.
 * All ids derive from `number`, which is 2 for the second workspace. The app isn't installed there.
 */
export const createOtherWorkspace = (app: SlackApp, number: number): Workspace => {
  const suffix = String(number).padStart(6, '0');
  const { name, domain, people } = namesOf(number);
  const teamId = `T0W${suffix}0`;
  const person = (realName: string, index: number): WorkspacePerson => ({
    slackUserId: `U0W${suffix}${index}`,
    teamId,
    name: realName.toLowerCase().replaceAll(' ', '-'),
    realName,
    email: `${realName.toLowerCase().replaceAll(' ', '.')}@${domain}.example`,
    timeZone: 'Europe/Berlin',
    title: roles[index]?.title ?? '',
    isAdmin: roles[index]?.isAdmin ?? false,
    isOwner: false,
    isGuest: false,
    isDeactivated: false,
  });
  return {
    teamId,
    name,
    domain,
    people: people.map(person),
    userGroups: [],
    channels: ['ops', 'approvals', 'random'].map((channel, index) => ({
      channelId: `C0W${suffix}${index}`,
      name: channel,
    })),
    app: { ...app, botUserId: `U0W${suffix}B`, botId: `B0W${suffix}B` },
    isInstalled: false,
  };
};
