import type { Clock } from '../../../src/clock.ts';
import type { Code } from '../oauth/codes.ts';
import { changed, type LocalState } from '../state.ts';
import type { SlackApp } from '../workspace.ts';
import {
  type Installation,
  type InstallTarget,
  type LifecycleEvent,
  type Organization,
  targetId,
} from './installation.ts';
import type { RefreshRecord } from './refresh-tokens.ts';
import {
  addAccessToken,
  createTokenBook,
  type IssuedTokens,
  issueTokens,
  TOKEN_LIFE_SECONDS,
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
  /** By `targetId`. */
  installations: Map<string, Installation>;
  tokens: TokenBook;
  /** Of the OAuth page, also after they were exchanged. */
  codes: Map<string, Code>;
  /** Each exchange of a refresh token, refused ones included. */
  refreshes: RefreshRecord[];
  /** Delivers events about an installation to the app. */
  announce: (target: InstallTarget, events: LifecycleEvent[]) => Promise<void>;
};

export const createDirectory = (
  states: LocalState[],
  { clock, organization }: Pick<Directory, 'clock' | 'organization'>,
): Directory => {
  const [first] = states;
  if (!first) throw new Error('A local Slack needs a workspace.');
  const directory: Directory = {
    app: first.workspace.app,
    clock,
    organization,
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

/** Installs the app without an installer, with the bot token of the configuration. */
const installAsConfigured = (directory: Directory, state: LocalState): void => {
  const { teamId, app } = state.workspace;
  const installation: Installation = {
    target: { kind: 'workspace', teamId },
    teamIds: [teamId],
    botUserId: app.botUserId,
    botId: app.botId,
    // Tests change these while the app runs.
    scopes: () => app.scopes,
    installerId: '',
    tokenLifeSeconds: undefined,
  };
  directory.installations.set(teamId, installation);
  addAccessToken(directory.tokens, installation, app.botToken);
  state.installation = installation;
};

/** The workspace itself, or all workspaces of the organization. */
export const statesAt = (
  { states, organization }: Directory,
  target: InstallTarget,
): LocalState[] => {
  const teamIds = target.kind === 'workspace' ? [target.teamId] : (organization?.teamIds ?? []);
  return teamIds.flatMap((teamId) => states.get(teamId) ?? []);
};

/** The organization itself, or that of the workspace. */
export const organizationAt = (
  { organization }: Directory,
  target: InstallTarget,
): Organization | undefined =>
  target.kind === 'organization' || organization?.teamIds.includes(target.teamId)
    ? organization
    : undefined;

const newInstallation = (directory: Directory, target: InstallTarget): Installation => {
  const { states, organization } = directory;
  const bot = target.kind === 'workspace' ? states.get(target.teamId)?.workspace.app : organization;
  if (!bot) throw new Error(`The local Slack has no ${targetId(target)}.`);
  return {
    target,
    teamIds: statesAt(directory, target).map(({ workspace }) => workspace.teamId),
    botUserId: bot.botUserId,
    botId: bot.botId,
    scopes: () => [],
    installerId: '',
    tokenLifeSeconds: undefined,
  };
};

/**
 * Chooses the workspaces in which the organization's installation can be used, as an admin of the
 * organization does. The app has no events for it.
 */
export const grantTeams = (directory: Directory, teamIds: readonly string[]): void => {
  const installation = [...directory.installations.values()].find(
    ({ target }) => target.kind === 'organization',
  );
  if (!installation) throw new Error('The app is not installed in the organization.');
  installation.teamIds = teamIds;
  for (const state of directory.states.values()) {
    const isGranted = teamIds.includes(state.workspace.teamId);
    if (isGranted) state.installation ??= installation;
    else if (state.installation === installation) state.installation = undefined;
    changed(state);
  }
};

/** Installs the app. Installing it again keeps its bot user, and adds scopes. */
export const install = (
  directory: Directory,
  target: InstallTarget,
  { installerId, scopes }: { installerId: string; scopes: readonly string[] },
): IssuedTokens => {
  const { rotatesTokens, tokenLifeSeconds = TOKEN_LIFE_SECONDS } = directory.app;
  const known = directory.installations.get(targetId(target));
  const installation = known ?? newInstallation(directory, target);
  const granted = new Set([...installation.scopes(), ...scopes]);
  installation.scopes = () => [...granted];
  installation.installerId = installerId;
  installation.tokenLifeSeconds = rotatesTokens ? tokenLifeSeconds : undefined;
  directory.installations.set(targetId(target), installation);
  // A workspace with its own installation keeps it.
  for (const state of statesAt(directory, target)) state.installation ??= installation;
  return issueTokens(directory.tokens, installation, directory.clock);
};
