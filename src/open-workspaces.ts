import { createAppendEntry } from './audit-log/append.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { type ServedTeams, serveOnly } from './database/served-teams.ts';
import type { Database } from './database/tables.ts';
import {
  createInstallationStore,
  createOrganizationStore,
  createOrganizations,
  createRefreshStore,
  createTokenRotation,
  createUninstaller,
  createUninstallStore,
  type Organizations,
  serveInstalled,
  type TokenRotation,
  type Uninstaller,
  type UninstallTimings,
} from './features/installations/index.ts';
import {
  createInstallPages,
  installPath,
  redirectPath,
} from './features/installations/register.ts';
import type { Metrics } from './health/metrics.ts';
import type { Logger } from './logger.ts';
import { createListGrantedTeams } from './slack/api/list-granted-teams.ts';
import { exchangeRefreshToken } from './slack/api/refresh-token.ts';
import { clientOptions, createSlackClient } from './slack/api/slack-client.ts';
import type { FindInstallPage, ReadBotToken } from './slack/api/slack-clients.ts';
import { createTestToken } from './slack/api/test-token.ts';
import type { UninstallEvent } from './slack/interactions/uninstall-events.ts';
import type { Pages } from './slack/server/page.ts';
import { readTokenTeam } from './slack/server/slack-app.ts';
import { createUninstallHandlers } from './team-purges.ts';
import { listConnectedTeams } from './workspace/store/connected-teams.ts';
import { createTokenCipher } from './workspace/store/token-cipher.ts';

export type Workspaces = {
  /** The workspaces that this process works for. */
  isServed: ServedTeams;
  readToken: ReadBotToken;
  findInstallPage: FindInstallPage;
  /** Slack reports that the app was uninstalled, or that tokens were revoked. */
  onUninstallEvent: (event: UninstallEvent) => Promise<void>;
  /** Undefined with a bot token. */
  oauth?: OAuthInstallations;
};

/** What keeps the installations with OAuth up to date, and the pages that make them. */
export type OAuthInstallations = {
  organizations: Organizations;
  rotation: TokenRotation;
  uninstaller: Uninstaller;
  pages: Pages;
};

type OpenOptions = {
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics | undefined;
  timings: Partial<UninstallTimings> | undefined;
};

/** Of the calls that belong to an installation and not to a person's request. */
const slackTimeoutMs = 5000;

/**
 * The one workspace of the bot token, or those in which Belay is installed with OAuth. Data of any
 * other workspace in the database isn't touched.
 * @throws Error with one line for the operator when Slack refuses the token
 */
export async function openWorkspaces(
  { slack: { credentials, apiUrl }, encryptionKeys }: Config,
  { db, clock, log, metrics, timings }: OpenOptions,
): Promise<Workspaces> {
  if ('botToken' in credentials) return openOne(credentials.botToken, { apiUrl, db, log });
  const { publicUrl, stateSecret, ...app } = credentials;
  const cipher = createTokenCipher(encryptionKeys);
  const append = createAppendEntry(encryptionKeys);
  const store = createInstallationStore(db, { cipher, append });
  const uninstaller = createUninstaller({
    store: createUninstallStore(db, { cipher, handlers: createUninstallHandlers(append) }),
    testToken: createTestToken(apiUrl, log),
    clock,
    log,
    timings,
  });
  const oauthApp = { ...app, apiUrl, redirectUri: `${publicUrl}${redirectPath}` };
  const slackOptions = clientOptions({ log, apiUrl, onCall: metrics?.slackCalled }, slackTimeoutMs);
  const rotation = createTokenRotation({
    installations: store,
    store: createRefreshStore(db, cipher),
    exchange: (refreshToken) => exchangeRefreshToken(oauthApp, refreshToken, log),
    clock,
    log,
    onRefreshed: metrics?.tokenRefreshed,
    openSlack: (workspace) => createSlackClient(workspace, slackOptions),
    installUrl: `${publicUrl}${installPath}`,
  });
  const organizations = createOrganizations({
    readToken: rotation.readToken,
    store: createOrganizationStore(db),
    clock,
    log,
    listGrantedTeams: createListGrantedTeams(slackOptions),
  });
  const pages = createInstallPages({
    store,
    organizations,
    uninstaller,
    stateSecret,
    clock,
    log,
    oauthApp,
  });
  return {
    isServed: serveInstalled,
    readToken: rotation.readToken,
    findInstallPage: rotation.findInstallPage,
    onUninstallEvent: uninstaller.report,
    oauth: { organizations, rotation, uninstaller, pages },
  };
}

async function openOne(
  token: string,
  { apiUrl, db, log }: { apiUrl: string | undefined; db: Database; log: Logger },
): Promise<Workspaces> {
  const ownTeamId = await readTokenTeam({ botToken: token, apiUrl }, log);
  for (const teamId of await listConnectedTeams(db)) {
    if (teamId !== ownTeamId) {
      log.warn(
        { teamId },
        "the database has data of another workspace; Belay doesn't change that data",
      );
    }
  }
  return {
    isServed: serveOnly(ownTeamId),
    readToken: async ({ teamId }) =>
      teamId === ownTeamId ? { token, version: 'environment' } : undefined,
    // The operator installed it by hand and may put another token there, so nothing is deleted.
    async onUninstallEvent({ teamId }) {
      if (teamId !== ownTeamId) return;
      log.error(
        { teamId },
        'Slack reports that Belay was uninstalled or that SLACK_BOT_TOKEN was revoked; nothing was deleted (docs/operations.md, "Uninstalling")',
      );
    },
    findInstallPage: async () => undefined,
  };
}
