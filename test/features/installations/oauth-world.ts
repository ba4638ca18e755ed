import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { findPorts } from '../../../playground/free-ports.ts';
import { workspaceFromManifest } from '../../../playground/read-manifest.ts';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import {
  createOtherWorkspace,
  sampleOrganization,
} from '../../../playground/slack/more-workspaces.ts';
import type { Workspace } from '../../../playground/slack/workspace.ts';
import { type Belay, startBelay } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Database } from '../../../src/database/tables.ts';
import { createLogger } from '../../../src/logger.ts';
import { OLGA } from '../../playground/slack/installations/several.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export { openBrowser } from '../../../playground/install-browser.ts';

export type OAuthWorld = {
  slack: LocalSlack;
  db: Database;
  /** Installed nowhere yet. The second and third are the workspaces of an organization. */
  first: Workspace;
  second: Workspace;
  third: Workspace;
  /** Belay's own address. */
  publicUrl: string;
  logged: string[];
  env: Record<string, string>;
  /** The database of the running Belay, for `runAdmin`; closing it has no effect. */
  openDatabase: () => Promise<OpenDatabase>;
  person: (slackUserId: string, workspace: Workspace) => ReturnType<typeof actAs>;
  stop: () => Promise<unknown>;
  /** Stops Belay and starts it again on the same database. */
  restart: () => Promise<void>;
  /** Moves the clock of Belay and Slack forward. */
  wait: (ms: number) => void;
};

/**
 * Belay installed by OAuth, with a local Slack of three workspaces and an organization. With
 * `rotatesTokens`, bot tokens expire after 12 hours. The clock starts `startsMsAgo` ago: requests are
 * signed in real time, so it must be there again before people do anything. `change` can change the
 * workspaces before Slack starts.
 */
export async function startOAuthWorld({
  rotatesTokens = false,
  startsMsAgo = 0,
  change = (_workspaces: Workspace[]): void => undefined,
} = {}): Promise<OAuthWorld> {
  const port = await findPorts(1);
  const first = workspaceFromManifest(false);
  const { app } = first;
  app.rotatesTokens = rotatesTokens;
  let waitedMs = -startsMsAgo;
  const clock = () => new Date(Date.now() + waitedMs);
  const [second, third] = [createOtherWorkspace(app, 2), createOtherWorkspace(app, 3)];
  change([first, second, third]);
  const publicUrl = `http://127.0.0.1:${port}`;
  const slack = await startLocalSlack({
    workspace: first,
    workspaces: [second, third],
    organization: sampleOrganization,
    requestUrl: `${publicUrl}/slack/events`,
    clock,
  });
  const opened = await openFromTemplate(inject('databaseTemplate'));
  const logged: string[] = [];
  const env = {
    SLACK_CLIENT_ID: app.clientId,
    SLACK_CLIENT_SECRET: app.clientSecret,
    SLACK_STATE_SECRET: randomBytes(32).toString('base64url'),
    SLACK_SIGNING_SECRET: app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    BELAY_PUBLIC_URL: publicUrl,
    PORT: String(port),
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CHECKPOINT_FILE: join(temporaryFolder(), 'checkpoints.jsonl'),
  };
  const openDatabase = async () => ({ ...opened, close: async () => undefined });
  const start = () =>
    startBelay(readConfig(env), {
      clock,
      intervals: { refreshTokens: 200, reportRefusals: 200, checkInstallations: 50 },
      log: createLogger('trace', { write: (line) => void logged.push(line) }),
      openDatabase,
    });
  let belay: Belay = await start();
  onTestFinished(async () => {
    await belay.stop();
    await slack.close();
    await opened.close();
  });
  return {
    slack,
    db: opened.db,
    first,
    second,
    third,
    publicUrl,
    logged,
    env,
    openDatabase,
    person: (slackUserId, { teamId }) => actAs(slack.workspace(teamId), slackUserId),
    stop: () => belay.stop(),
    async restart() {
      await belay.stop();
      belay = await start();
    },
    wait(ms) {
      waitedMs += ms;
    },
  };
}

/** Olga, the admin of the second workspace, is also a member of the third, but no admin there. */
export function shareOlga([, second, third]: Workspace[]): void {
  const olga = second?.people.find(({ slackUserId }) => slackUserId === OLGA);
  if (!olga || !second || !third) throw new Error('Olga is missing');
  olga.otherTeamIds = [third.teamId];
  third.people = [...third.people, olga];
}
