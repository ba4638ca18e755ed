import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oauthVariables } from '../../../../playground/make-environment.ts';
import { workspaceFromManifest } from '../../../../playground/read-manifest.ts';
import { type LocalSlack, startLocalSlack } from '../../../../playground/slack/local-slack.ts';
import { createOtherWorkspace } from '../../../../playground/slack/more-workspaces.ts';
import type { Workspace } from '../../../../playground/slack/workspace.ts';
import { createAppendEntry } from '../../../../src/audit-log/append.ts';
import { systemClock } from '../../../../src/clock.ts';
import { type Database, openDatabase } from '../../../../src/database/open-database.ts';
import { finishInstall } from '../../../../src/features/installations/finish-install.ts';
import {
  createInstallationStore,
  type InstallationStore,
} from '../../../../src/features/installations/index.ts';
import { createTokenCipher } from '../../../../src/features/workspaces/index.ts';
import { createLogger } from '../../../../src/logger.ts';
import { enqueueMessages } from '../../../../src/outbox/index.ts';
import { createDatabase } from '../../../../test/support/databases.ts';
import { type Fleet, startFleet } from '../../fleet.ts';
import { watchRefreshes } from './watch-refreshes.ts';

export type Rotation = {
  slack: LocalSlack;
  db: Database;
  url: string;
  fleet: Fleet;
  store: InstallationStore;
  workspaces: Workspace[];
  /** Installs Belay, as a person does on its page. */
  install: (workspace: Workspace) => Promise<void>;
  stop: () => Promise<void>;
};

/** Nothing listens there: the program exchanges the codes itself. */
const publicUrl = 'http://127.0.0.1:1';

const replicaNames = ['replica-1', 'replica-2', 'replica-3', 'replica-4'];

/** Belay with OAuth in `count` workspaces whose tokens Slack rotates, and four replicas. */
export async function openRotation(
  serverUrl: string,
  { count, logLevel }: { count: number; logLevel: string },
): Promise<Rotation> {
  const first = workspaceFromManifest(false);
  const { app } = first;
  app.rotatesTokens = true;
  app.redirectUrls = [publicUrl];
  const workspaces = Array.from({ length: count }, (_, index) =>
    createOtherWorkspace(app, index + 2),
  );
  const slack = await startLocalSlack({ workspace: first, workspaces });
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  await watchRefreshes(db);
  const folder = await mkdtemp(join(tmpdir(), 'belay-rotation-'));
  const key = randomBytes(32);
  const credentials = { clientId: app.clientId, clientSecret: app.clientSecret };
  const env = {
    ...oauthVariables(app, publicUrl),
    ...{ SLACK_SIGNING_SECRET: app.signingSecret, SLACK_API_URL: slack.apiUrl, PORT: '0' },
    ...{ BELAY_ENCRYPTION_KEYS: key.toString('base64'), LOG_LEVEL: logLevel },
  };
  const cipher = createTokenCipher([key]);
  const append = createAppendEntry([key]);
  const store = createInstallationStore(db, { cipher, enqueueMessages, append });
  const log = createLogger('fatal');
  const redirectUri = `${publicUrl}/slack/oauth_redirect`;
  const oauthApp = { ...credentials, redirectUri, apiUrl: slack.apiUrl };
  // Nothing is uninstalled here, so no data of an earlier installation is left to delete.
  const uninstaller = { finishEarlier: async () => undefined };
  const organizations = { refresh: async () => undefined };
  const authorizeUrl = new URL('/oauth/v2/authorize', slack.url);
  authorizeUrl.search = new URLSearchParams({
    ...{ client_id: app.clientId, scope: app.scopes.join(','), redirect_uri: redirectUri },
  }).toString();

  async function install({ teamId, people }: Workspace): Promise<void> {
    const installer = people.find(({ isAdmin }) => isAdmin)?.slackUserId ?? '';
    const returned = await slack.install(teamId, installer, { authorizeUrl: authorizeUrl.href });
    const code = returned.searchParams.get('code') ?? '';
    const dependencies = { store, organizations, uninstaller, oauthApp, clock: systemClock, log };
    const { result } = await finishInstall(code, dependencies);
    if (result !== 'installed') throw new Error(`Belay was not installed: ${result}`);
  }

  for (const workspace of workspaces) await install(workspace);
  const fleet = await startFleet(replicaNames, { env, folder, databaseUrl: url });
  return {
    ...{ slack, db, url, fleet, store, workspaces, install },
    async stop() {
      await fleet.stop();
      await close();
      await drop();
      await slack.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
