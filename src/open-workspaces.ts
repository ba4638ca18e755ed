import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/open-database.ts';
import { type ServedTeams, serveOnly } from './database/served-teams.ts';
import {
  createInstallationStore,
  createOrganizationStore,
  createOrganizations,
  createTokenKeeper,
  type Organizations,
  serveInstalled,
  type TokenKeeper,
} from './features/installations/index.ts';
import {
  createInstallPages,
  installPath,
  redirectPath,
} from './features/installations/register.ts';
import { createTokenCipher, listConnectedTeams } from './features/workspaces/index.ts';
import type { Metrics } from './health/metrics.ts';
import type { Logger } from './logger.ts';
import { enqueueMessages } from './outbox/index.ts';
import { createListGrantedTeams } from './slack/api/list-granted-teams.ts';
import { clientOptions, createSlackClient, createSlackLogger } from './slack/api/slack-client.ts';
import type { Pages } from './slack/server/page.ts';
import { readTokenTeam } from './slack/server/slack-app.ts';

export type Workspaces = TokenKeeper & {
  /** The workspaces that this process works for. */
  isServed: ServedTeams;
  /** Undefined with a bot token, which is never that of an organization. */
  organizations?: Organizations;
  /** The pages that install Belay; undefined with a bot token. */
  pages?: Pages;
};

/** Of messages that tell an installer that Belay must be installed again. */
const slackTimeoutMs = 5000;

/**
 * The one workspace of the bot token, or those in which Belay is installed with OAuth. Work of any other
 * in the database is left as it is.
 * @throws Error with one line for the operator when Slack refuses the token
 */
export async function openWorkspaces(
  { slack: { credentials, apiUrl }, encryptionKeys }: Config,
  {
    db,
    clock,
    log,
    metrics,
  }: { db: Database; clock: Clock; log: Logger; metrics: Metrics | undefined },
): Promise<Workspaces> {
  if ('botToken' in credentials) return openOne(credentials.botToken, { apiUrl, db, log });
  const { publicUrl, stateSecret, ...app } = credentials;
  const cipher = createTokenCipher(encryptionKeys);
  const store = createInstallationStore(db, { cipher, enqueueMessages });
  const oauthApp = { ...app, apiUrl, redirectUri: `${publicUrl}${redirectPath}` };
  const slackOptions = clientOptions(
    { logger: createSlackLogger(log), apiUrl, onCall: metrics?.slackCalled },
    slackTimeoutMs,
  );
  const keeper = createTokenKeeper(db, {
    ...{ cipher, oauthApp, store, clock, log },
    newId: () => randomUUID(),
    onRefreshed: metrics?.tokenRefreshed,
    openSlack: (workspace) => createSlackClient(workspace, slackOptions),
    installUrl: `${publicUrl}${installPath}`,
  });
  const organizations = createOrganizations({
    ...{ readToken: keeper.readToken, store: createOrganizationStore(db), clock, log },
    listGrantedTeams: createListGrantedTeams(slackOptions),
  });
  return {
    isServed: serveInstalled,
    ...keeper,
    organizations,
    pages: createInstallPages({
      ...{ store, organizations, stateSecret, clock, log, oauthApp },
      newReference: () => randomBytes(4).toString('hex'),
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
    refreshTokens: async () => undefined,
    findInstallPage: async () => undefined,
  };
}
