import { createAppendEntry } from './audit-log/append.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { type ServedTeams, serveOnly } from './database/served-teams.ts';
import type { Database } from './database/tables.ts';
import {
  createInstallationStore,
  createOrganizationStore,
  createOrganizations,
  createTokenRotation,
  createUninstaller,
  createUninstallStore,
  type Organizations,
  serveInstalled,
  type TokenRotation,
  type UninstallTimings,
} from './features/installations/index.ts';
import {
  createInstallPages,
  installPath,
  redirectPath,
} from './features/installations/register.ts';
import type { Metrics } from './health/metrics.ts';
import type { DueWork } from './jobs/due-work.ts';
import type { Logger } from './logger.ts';
import { enqueueMessages } from './postings/outbox/enqueue.ts';
import { createListGrantedTeams } from './slack/api/list-granted-teams.ts';
import { clientOptions, createSlackClient, createSlackLogger } from './slack/api/slack-client.ts';
import { createTestToken } from './slack/api/test-token.ts';
import type { UninstallEvent } from './slack/interactions/uninstall-events.ts';
import type { Pages } from './slack/server/page.ts';
import { readTokenTeam } from './slack/server/slack-app.ts';
import { createUninstallHandlers } from './team-purges.ts';
import { listConnectedTeams } from './workspace/store/connected-teams.ts';
import { createTokenCipher } from './workspace/store/token-cipher.ts';

export type Workspaces = Pick<TokenRotation, 'readToken' | 'findInstallPage'> & {
  /** The workspaces that this process works for. */
  isServed: ServedTeams;
  /** Undefined with a bot token, which is never that of an organization. */
  organizations?: Organizations;
  /** The pages that install Belay; undefined with a bot token. */
  pages?: Pages;
  /** Slack reports that the app was uninstalled, or that tokens were revoked. */
  onUninstallEvent: (event: UninstallEvent) => Promise<void>;
  onTokenRefused?: (teamId: string) => void;
  /** Finds workspaces that uninstalled Belay, and deletes their data. */
  checkInstallations?: DueWork;
  refreshTokens?: DueWork;
  reportRefusals?: DueWork;
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
  const store = createInstallationStore(db, { cipher, enqueueMessages, append });
  const uninstaller = createUninstaller({
    store: createUninstallStore(db, { cipher, handlers: createUninstallHandlers(append) }),
    testToken: createTestToken(apiUrl, log),
    clock,
    log,
    timings,
  });
  const oauthApp = { ...app, apiUrl, redirectUri: `${publicUrl}${redirectPath}` };
  const slackOptions = clientOptions(
    { logger: createSlackLogger(log), apiUrl, onCall: metrics?.slackCalled },
    slackTimeoutMs,
  );
  const rotation = createTokenRotation(db, {
    cipher,
    oauthApp,
    store,
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
  return {
    isServed: serveInstalled,
    ...rotation,
    organizations,
    onUninstallEvent: uninstaller.report,
    onTokenRefused: uninstaller.tokenRefused,
    checkInstallations: uninstaller.work,
    pages: createInstallPages({
      store,
      organizations,
      uninstaller,
      stateSecret,
      clock,
      log,
      oauthApp,
    }),
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
