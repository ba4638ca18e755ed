import { randomBytes } from 'node:crypto';
import { actAs } from '../../../../playground/act-as.ts';
import { people } from '../../../../playground/people.ts';
import { type Database, openDatabase } from '../../../../src/database/open-database.ts';
import { createDatabase } from '../../../../test/support/databases.ts';
import { setUp, startTestBed, type TestBed } from '../../../replicas/test-bed.ts';
import { waitFor } from '../../../replicas/wait-for.ts';
import { timings } from '../../chaos-setup.ts';
import { type Fleet, startFleet } from '../../fleet.ts';

export type UninstallWorld = {
  testBed: TestBed;
  db: Database;
  fleet: Fleet;
  names: string[];
  stop: () => Promise<void>;
};

const publicUrl = 'http://127.0.0.1:9';
const users = 300;
const names = ['replica-1', 'replica-2', 'replica-3'];

/** A fraction of the defaults, so that a hundred uninstalls take minutes. */
const uninstallTimings = {
  ...{ checkMs: 4000, confirmMs: 1000, retryMs: 500 },
  ...{ settleMs: 1500, leaseMs: 2000 },
};

/** The workspace of the approvals program, in which Belay is not installed yet, and three replicas. */
export async function openUninstallWorld(
  serverUrl: string,
  logLevel: string,
): Promise<UninstallWorld> {
  const testBed = await startTestBed({ users, requestsPerSecond: 500 });
  const { slack, workspace, folder } = testBed;
  await slack.uninstall(workspace.teamId);
  const { SLACK_BOT_TOKEN: _, ...common } = testBed.env;
  const env = {
    ...{ ...common, LOG_LEVEL: logLevel },
    ...{ SLACK_CLIENT_ID: workspace.app.clientId },
    ...{ SLACK_CLIENT_SECRET: workspace.app.clientSecret },
    SLACK_STATE_SECRET: randomBytes(32).toString('base64url'),
    // Every replica serves the pages; the browser goes to one that runs.
    BELAY_PUBLIC_URL: publicUrl,
  };
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  const fleet = await startFleet(names, {
    ...{ env, folder, databaseUrl: url, timings, uninstallTimings },
  });
  return {
    ...{ testBed, db, fleet, names },
    async stop() {
      await fleet.stop();
      await close();
      await drop();
      await testBed.stop();
    },
  };
}

/** Installs Belay with its page, as a person does, and sets it up. */
export async function installAndSetUp(
  { testBed, fleet }: UninstallWorld,
  graceMinutes: number,
): Promise<void> {
  const { slack, workspace } = testBed;
  await waitFor(() => fleet.running().length > 0, { forMs: 20_000 });
  const requestUrl = fleet.running()[0]?.requestUrl ?? '';
  const origin = new URL(requestUrl).origin;
  const page = await fetch(`${origin}/slack/install`);
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
  const href = /class="button" href="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const authorizeUrl = href.replaceAll('&amp;', '&');
  // Slack returns people only to the app's own origin.
  slack.connectApp(`${publicUrl}/slack/events`);
  const back = await slack.install(workspace.teamId, people.cleo, { authorizeUrl });
  const installed = await fetch(`${origin}${back.pathname}${back.search}`, { headers: { cookie } });
  if (installed.status !== 200) throw new Error(`not installed: ${await installed.text()}`);
  slack.connectApp(requestUrl);
  await setUp(testBed, graceMinutes);
  await actAs(slack, people.cleo).send('ops', '/belay watch');
}
