import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oauthVariables } from '../../../../playground/make-environment.ts';
import { workspaceFromManifest } from '../../../../playground/read-manifest.ts';
import { type LocalSlack, startLocalSlack } from '../../../../playground/slack/local-slack.ts';
import { createOtherWorkspace } from '../../../../playground/slack/more-workspaces.ts';
import type { Workspace } from '../../../../playground/slack/workspace.ts';
import { openDatabase } from '../../../../src/database/open-database.ts';
import type { Database } from '../../../../src/database/tables.ts';
import type { InstallationStore } from '../../../../src/features/installations/index.ts';
import { createDatabase } from '../../../../test/support/databases.ts';
import { createInstaller } from '../../../replicas/install-directly.ts';
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
  const env = {
    ...oauthVariables(app, publicUrl),
    SLACK_SIGNING_SECRET: app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    LOG_LEVEL: logLevel,
  };
  const { install, store } = createInstaller({ slack, db, env });
  for (const workspace of workspaces) await install(workspace);
  const fleet = await startFleet(replicaNames, { env, folder, databaseUrl: url });
  return {
    slack,
    db,
    url,
    fleet,
    store,
    workspaces,
    install,
    async stop() {
      await fleet.stop();
      await close();
      await drop();
      await slack.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
