import type { Clock } from '../../../src/clock.ts';
import type { Code } from '../oauth/codes.ts';
import type { LocalState } from '../state.ts';
import type { SlackApp } from '../workspace.ts';
import {
  type Installation,
  type LifecycleEvent,
  type Organization,
  type Place,
  placeId,
} from './installation.ts';
import type { RefreshRecord } from './refresh-tokens.ts';
import {
  addAccessToken,
  createTokenBook,
  type IssuedTokens,
  issueTokens,
  type TokenBook,
} from './tokens.ts';

/** All workspaces of the local Slack, and where the app is installed. */
export type Directory = {
  /** Its configuration, which all workspaces share. */
  app: SlackApp;
  clock: Clock;
  /** By team id, in configured order. */
  states: ReadonlyMap<string, LocalState>;
  organization: Organization | undefined;
  /** By the id of the place. */
  installations: Map<string, Installation>;
  tokens: TokenBook;
  /** Of the OAuth page, until they are exchanged. */
  codes: Map<string, Code>;
  /** Each exchange of a refresh token, refused ones included. */
  refreshes: RefreshRecord[];
  /** Delivers events about an installation to the app. */
  announce: (place: Place, events: LifecycleEvent[]) => Promise<void>;
};

export const createDirectory = (
  states: LocalState[],
  { clock, organization }: Pick<Directory, 'clock' | 'organization'>,
): Directory => {
  const [first] = states;
  if (!first) throw new Error('A local Slack needs a workspace.');
  const directory: Directory = {
    ...{ app: first.workspace.app, clock, organization },
    states: new Map(states.map((state) => [state.workspace.teamId, state])),
    installations: new Map(),
    tokens: createTokenBook(),
    codes: new Map(),
    refreshes: [],
    announce: async () => undefined,
  };
  for (const state of states) {
    if (state.workspace.isInstalled !== false) installAsConfigured(directory, state);
  }
  return directory;
};

/** The app of a single workspace has one token that is known beforehand, and no installer. */
const installAsConfigured = (directory: Directory, state: LocalState): void => {
  const { teamId, app } = state.workspace;
  const installation: Installation = {
    place: { kind: 'workspace', teamId },
    teamIds: [teamId],
    ...{ botUserId: app.botUserId, botId: app.botId },
    // Tests change these while the app runs.
    scopes: () => app.scopes,
    installerId: '',
    isRotating: false,
  };
  directory.installations.set(teamId, installation);
  addAccessToken(directory.tokens, installation, app.botToken);
  state.installation = installation;
};

/** The workspaces of a place. */
export const statesAt = ({ states, organization }: Directory, place: Place): LocalState[] => {
  const teamIds = place.kind === 'workspace' ? [place.teamId] : (organization?.teamIds ?? []);
  return teamIds.flatMap((teamId) => states.get(teamId) ?? []);
};

export const organizationOf = (
  { organization }: Directory,
  teamId: string,
): Organization | undefined => (organization?.teamIds.includes(teamId) ? organization : undefined);

const newInstallation = (directory: Directory, place: Place): Installation => {
  const { states, organization } = directory;
  const bot = place.kind === 'workspace' ? states.get(place.teamId)?.workspace.app : organization;
  if (!bot) throw new Error(`The local Slack has no ${placeId(place)}.`);
  return {
    place,
    teamIds: statesAt(directory, place).map(({ workspace }) => workspace.teamId),
    ...{ botUserId: bot.botUserId, botId: bot.botId },
    scopes: () => [],
    installerId: '',
    isRotating: false,
  };
};

/** Installs the app. Installing it again keeps its bot user, and adds scopes. */
export const install = (
  directory: Directory,
  place: Place,
  { installerId, scopes }: { installerId: string; scopes: readonly string[] },
): IssuedTokens => {
  const known = directory.installations.get(placeId(place));
  const installation = known ?? newInstallation(directory, place);
  const granted = new Set([...installation.scopes(), ...scopes]);
  installation.scopes = () => [...granted];
  installation.installerId = installerId;
  installation.isRotating = directory.app.rotatesTokens === true;
  directory.installations.set(placeId(place), installation);
  // A workspace with an installation of its own keeps it.
  for (const state of statesAt(directory, place)) state.installation ??= installation;
  return issueTokens(directory.tokens, installation, directory.clock);
};
