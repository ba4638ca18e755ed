import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/clock.ts';
import type { Installation, Organization } from './installations/installation.ts';
import type { FormValues, Message, MessageBlock } from './protocol.ts';
import type { Home, Modal } from './validate/view.ts';
import type { UserGroup, Workspace, WorkspacePerson } from './workspace.ts';

/** One tab of a person's page. Each has its own stack of modals. */
export type Client = { slackUserId: string; tabId: string };

/** A change of a message that can cause an event. */
export type MessageChange = 'posted' | 'edited';

export type StoredView = {
  viewId: string;
  client: Client;
  modal: Modal;
  hash: string;
  rootViewId: string;
  previousViewId: string | null;
  /** The values the person has changed; all others are the initial values. */
  touched: FormValues;
  errors: Record<string, string>;
  trouble?: string;
  isSubmitting: boolean;
};

/** What the app has published on a person's Home tab. `touched`: as in a `StoredView`. */
export type StoredHome = {
  viewId: string;
  slackUserId: string;
  home: Home;
  hash: string;
  touched: FormValues;
};

export type Trigger = { client: Client; ageMs: () => number; isUsed: boolean; inView: boolean };

export type ResponseUrl = {
  channelId: string;
  slackUserId: string;
  originalTs?: string;
  expiresAt: number;
  usesLeft: number;
};

/** A counter for short ids, unique across all workspaces and resets. */
type IdCounter = { given: number };

/** One workspace of the local Slack. */
export type LocalState = {
  readonly workspace: Workspace;
  /** The organization that the workspace belongs to. */
  readonly organization: Organization | undefined;
  readonly clock: Clock;
  /** How long this thread waited for the processor. Time limits exclude it. */
  readonly starvedMs: () => number;
  readonly ids: IdCounter;
  readonly listeners: Set<() => void>;
  onMessage: (message: Message, change: MessageChange) => void;
  /** Resolves once the event was delivered, or could not be. */
  onHomeOpened: (slackUserId: string) => Promise<void>;
  /** The installation of the app that acts here; undefined if there is none. */
  installation: Installation | undefined;
  people: Map<string, WorkspacePerson>;
  userGroups: Map<string, UserGroup>;
  /** An edit replaces the object of a message, so that comparing objects shows what changed. */
  messages: Message[];
  /** Blocks that messages had before they were edited, newest first, by timestamp. */
  earlierBlocks: Map<string, MessageBlock[][]>;
  /** Modal stacks by client, bottom first. */
  stacks: Map<string, StoredView[]>;
  /** By the person's id. */
  homes: Map<string, StoredHome>;
  /** When the app published a Home tab, in milliseconds, within the last minute. */
  published: number[];
  triggers: Map<string, Trigger>;
  responseUrls: Map<string, ResponseUrl>;
  /** The newest message that each person has read in each conversation. */
  readUntil: Map<string, string>;
  lastMessageTs: string;
};

type Contents = Pick<
  LocalState,
  | 'people'
  | 'userGroups'
  | 'messages'
  | 'earlierBlocks'
  | 'stacks'
  | 'homes'
  | 'published'
  | 'triggers'
  | 'responseUrls'
  | 'readUntil'
>;

const emptyContents = (workspace: Workspace): Contents => ({
  people: new Map(workspace.people.map((person) => [person.slackUserId, { ...person }])),
  userGroups: new Map(workspace.userGroups.map((group) => [group.groupId, { ...group }])),
  messages: [],
  earlierBlocks: new Map(),
  stacks: new Map(),
  homes: new Map(),
  published: [],
  triggers: new Map(),
  responseUrls: new Map(),
  readUntil: new Map(),
});

export const createState = (
  workspace: Workspace,
  given: Pick<LocalState, 'clock' | 'starvedMs' | 'ids' | 'organization'>,
): LocalState => ({
  ...given,
  workspace,
  listeners: new Set(),
  onMessage: () => undefined,
  onHomeOpened: async () => undefined,
  installation: undefined,
  lastMessageTs: '0',
  ...emptyContents(workspace),
});

/** The bot user of the installation, or of the next one if the app isn't installed. */
export const botOf = ({ installation, workspace: { app } }: LocalState) => {
  const { botUserId, botId } = installation ?? app;
  return { botUserId, botId };
};

export const grantedScopes = (state: LocalState): readonly string[] =>
  state.installation?.scopes() ?? [];

/** Resets to the configured workspace, without messages or modals. */
export const resetState = (state: LocalState): void => {
  Object.assign(state, emptyContents(state.workspace));
  changed(state);
};

export const changed = (state: LocalState): void => {
  for (const listener of state.listeners) listener();
};

export const nextId = (state: LocalState, prefix: string): string => {
  state.ids.given += 1;
  return `${prefix}${state.ids.given.toString(36).toUpperCase().padStart(8, '0')}`;
};

/** A random token for response URLs, triggers and socket tickets. */
export const unguessable = (): string => randomBytes(16).toString('hex');

/** Timestamps identify messages: the time in seconds, with a fraction that makes it unique. */
export const nextMessageTs = (state: LocalState): string => {
  const now = (state.clock().getTime() / 1000).toFixed(6);
  const after = Number(state.lastMessageTs) + 0.000001;
  const messageTs = Number(now) >= after ? now : after.toFixed(6);
  state.lastMessageTs = messageTs;
  return messageTs;
};
