import { actAs } from '../../../../playground/act-as.ts';
import { people } from '../../../../playground/people.ts';
import { openDatabase } from '../../../../src/database/open-database.ts';
import type { Database } from '../../../../src/database/tables.ts';
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

const users = 300;
const names = ['replica-1', 'replica-2', 'replica-3'];

/** A fraction of the defaults, so that a hundred uninstalls take minutes. */
const uninstallTimings = {
  checkMs: 4000,
  confirmMs: 1000,
  retryMs: 500,
  settleMs: 1500,
  leaseMs: 2000,
};

/** The workspace of the approvals program, in which Belay is not installed yet, and three replicas. */
export async function openUninstallWorld(
  serverUrl: string,
  logLevel: string,
): Promise<UninstallWorld> {
  const testBed = await startTestBed({ users, requestsPerSecond: 500, oauth: true });
  const { workspace, folder } = testBed;
  // A token that is replaced as Belay is uninstalled is not the subject here.
  workspace.app.rotatesTokens = false;
  const env = { ...testBed.env, LOG_LEVEL: logLevel };
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  const fleet = await startFleet(names, {
    env,
    folder,
    databaseUrl: url,
    timings,
    uninstallTimings,
  });
  return {
    testBed,
    db,
    fleet,
    names,
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
  await waitFor(() => fleet.running().length > 0, { forMs: 20_000 });
  await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes });
  await actAs(testBed.slack, people.cleo).send('ops', '/belay watch');
}
