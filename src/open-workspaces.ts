import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/open-database.ts';
import { type ServedTeams, serveOnly } from './database/served-teams.ts';
import {
  createInstallationStore,
  createOrganizationStore,
  createOrganizations,
  type Organizations,
  serveInstalled,
} from './features/installations/index.ts';
import { createInstallPages, redirectPath } from './features/installations/register.ts';
import { createTokenCipher, listConnectedTeams } from './features/workspaces/index.ts';
import type { Logger } from './logger.ts';
import { enqueueMessages } from './outbox/index.ts';
import { createListGrantedTeams } from './slack/api/list-granted-teams.ts';
import type { ReadBotToken } from './slack/api/slack-clients.ts';
import type { Pages } from './slack/server/page.ts';
import { readTokenTeam } from './slack/server/slack-app.ts';

export type Workspaces = {
  /** The workspaces that this process works for. */
  isServed: ServedTeams;
  readToken: ReadBotToken;
  /** Undefined with a bot token, which is never that of an organization. */
  organizations?: Organizations;
  /** The pages that install Belay; undefined with a bot token. */
  pages?: Pages;
};

/**
 * The one workspace of the bot token, or those in which Belay is installed with OAuth. Work of any other
 * in the database is left as it is.
 * @throws Error with one line for the operator when Slack refuses the token
 */
export async function openWorkspaces(
  { slack: { credentials, apiUrl }, encryptionKeys }: Config,
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
): Promise<Workspaces> {
  if ('botToken' in credentials) return openOne(credentials.botToken, { apiUrl, db, log });
  const { publicUrl, stateSecret, ...app } = credentials;
  const cipher = createTokenCipher(encryptionKeys);
  const store = createInstallationStore(db, { cipher, enqueueMessages });
  const organizations = createOrganizations({
    ...{ installations: store, store: createOrganizationStore(db), clock, log },
    listGrantedTeams: createListGrantedTeams(apiUrl, log),
  });
  return {
    isServed: serveInstalled,
    readToken: store.readToken,
    organizations,
    pages: createInstallPages({
      ...{ store, organizations, stateSecret, clock, log },
      oauthApp: { ...app, apiUrl, redirectUri: `${publicUrl}${redirectPath}` },
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
  };
}
