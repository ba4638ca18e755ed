import { randomBytes } from 'node:crypto';
import type { Person } from './protocol.ts';

/** `isHidden`: the page does not offer to switch to this person. */
export type WorkspacePerson = Person & {
  isHidden?: boolean;
  /** The other workspaces of the organization that this person is a member of. */
  otherTeamIds?: string[];
};

export type Channel = {
  channelId: string;
  name: string;
  /** Everyone if omitted. */
  members?: string[];
  /** False if the app was never invited. */
  appIsMember?: boolean;
};

export type UserGroup = {
  groupId: string;
  name: string;
  handle: string;
  /** Ids of people. */
  members: string[];
  isDisabled?: boolean;
};

type SlashCommand = { command: string; description: string; usageHint?: string };

export type SlackApp = {
  appId: string;
  name: string;
  botUserId: string;
  botId: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  clientId: string;
  clientSecret: string;
  /** The scopes that it has in this workspace, or requests where it isn't installed. */
  scopes: string[];
  commands: SlashCommand[];
  /** Bot events that the app is subscribed to, such as `message.im` and `app_uninstalled`. */
  events: string[];
  /** Whether the app has a Home tab. */
  hasHomeTab?: boolean;
  /** URLs below which the OAuth page may redirect; the app's origin if omitted. */
  redirectUrls?: string[];
  /** Whether tokens of new installations expire and are refreshed. */
  rotatesTokens?: boolean;
  /** Of those tokens, in seconds; Slack's 12 hours if omitted. */
  tokenLifeSeconds?: number;
};

export type Workspace = {
  teamId: string;
  name: string;
  domain: string;
  people: WorkspacePerson[];
  userGroups: UserGroup[];
  channels: Channel[];
  /** The app, with the bot user that it has in this workspace. */
  app: SlackApp;
  /** False if people must install the app first. Otherwise it is installed with `app.botToken`. */
  isInstalled?: boolean;
};

type Secrets = Pick<SlackApp, 'botToken' | 'appToken' | 'signingSecret' | 'clientSecret'>;

const freshSecrets = (): Secrets => ({
  botToken: `xoxb-${randomBytes(24).toString('hex')}`,
  appToken: `xapp-1-${randomBytes(24).toString('hex')}`,
  signingSecret: randomBytes(16).toString('hex'),
  clientSecret: randomBytes(16).toString('hex'),
});

const TEAM_ID = 'T0HARBOR01';
const PARTNER_TEAM_ID = 'T0PARTNER1';

const fullMember = {
  teamId: TEAM_ID,
  isAdmin: false,
  isOwner: false,
  isGuest: false,
  isDeactivated: false,
};

const people: WorkspacePerson[] = [
  {
    ...fullMember,
    slackUserId: 'U0ANA00001',
    name: 'ana',
    realName: 'Ana Sousa',
    email: 'ana@harbor.example',
    timeZone: 'Europe/Lisbon',
    title: 'operator',
  },
  {
    ...fullMember,
    slackUserId: 'U0BEN00002',
    name: 'ben',
    realName: 'Ben Carter',
    email: 'ben@harbor.example',
    timeZone: 'America/New_York',
    title: 'approver',
  },
  {
    ...fullMember,
    slackUserId: 'U0CLEO0003',
    name: 'cleo',
    realName: 'Cleo Brandt',
    email: 'cleo@harbor.example',
    timeZone: 'Europe/Berlin',
    title: 'workspace admin',
    isAdmin: true,
  },
  {
    ...fullMember,
    slackUserId: 'U0GUS00004',
    name: 'gus',
    realName: 'Gus Lindholm',
    email: 'gus@harbor.example',
    timeZone: 'Europe/Stockholm',
    title: 'guest',
    isGuest: true,
  },
  {
    ...fullMember,
    slackUserId: 'U0DEE00005',
    name: 'dee',
    realName: 'Dee Marsh',
    email: 'dee@harbor.example',
    timeZone: 'Europe/Dublin',
    title: 'deactivated',
    isDeactivated: true,
    isHidden: true,
  },
  {
    ...fullMember,
    slackUserId: 'U0SAM00006',
    teamId: PARTNER_TEAM_ID,
    name: 'sam',
    realName: 'Sam Okafor',
    email: 'sam@harbor.example',
    timeZone: 'Africa/Lagos',
    title: 'from another workspace',
    isHidden: true,
  },
];

/** The workspace of the demo and the tests: always the same ids, with random secrets unless given. */
export const createWorkspace = (secrets: Secrets = freshSecrets()): Workspace => ({
  teamId: TEAM_ID,
  name: 'Harbor Ops',
  domain: 'harbor-ops',
  people: people.map((person) => ({ ...person })),
  userGroups: [
    {
      groupId: 'S0SECURITY',
      name: 'Security',
      handle: 'security',
      members: ['U0BEN00002'],
    },
    {
      groupId: 'S0STORAGE1',
      name: 'Storage operations',
      handle: 'storage-ops',
      members: ['U0ANA00001', 'U0CLEO0003'],
    },
  ],
  channels: [
    { channelId: 'C0OPS00001', name: 'ops' },
    { channelId: 'C0APPROVE2', name: 'approvals' },
    { channelId: 'C0RANDOM03', name: 'random' },
  ],
  app: {
    appId: 'A0BELAY001',
    name: 'Belay',
    botUserId: 'U0BELAYBOT',
    botId: 'B0BELAY001',
    clientId: '3141592653.5897932384',
    ...secrets,
    events: [],
    scopes: [
      'chat:write',
      'commands',
      'im:write',
      'users:read',
      'users:read.email',
      'channels:read',
      'usergroups:read',
      'team:read',
    ],
    commands: [
      {
        command: '/belay',
        description: 'See alerts and compliance, and ask for changes to users',
        usageHint: 'alerts | compliance | users | disable | setup | help',
      },
    ],
  },
});
