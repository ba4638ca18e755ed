import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../playground/service/data/random.ts';
import { connectDatabase } from '../../src/database/open-database.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { type ChaosSetup, timings as chaosTimings, replicaNames } from '../chaos/chaos-setup.ts';
import { type Fleet, startFleet } from '../chaos/fleet.ts';
import { amount } from '../read-options.ts';
import { setUp, startTestBed } from '../replicas/test-bed.ts';
import { watchPosts } from '../replicas/watch-posts.ts';
import { watchStates } from '../replicas/watch-states.ts';
import { makeVersions, type Versions } from './versions.ts';

export type UpgradeSetup = Omit<ChaosSetup, 'fleet'> & {
  fleet: Fleet;
  versions: Versions;
  /** Starts with these sources from now on. */
  setSources: (name: string, sources: string) => void;
  url: string;
};

/**
 * Replicas are starting most of the time and keep all cores busy, so that the service can take up a
 * change seconds after the process that sent it was killed.
 */
const timings = { ...chaosTimings, settleMs: 10_000 };

const userCount = 1500;
const graceMinutes = amount(1, 0);

/** A local Slack and the reference service, with three replicas of the older version on a new database. */
export async function openUpgrade({
  serverUrl,
  seed,
  from,
  oauth,
  logLevel,
}: {
  serverUrl: string;
  seed: number;
  from: string | undefined;
  oauth: boolean;
  logLevel: string;
}): Promise<{ setup: UpgradeSetup; stop: () => Promise<void> }> {
  const sourcesFolder = await mkdtemp(join(tmpdir(), 'belay-versions-'));
  const versions = await makeVersions(sourcesFolder, from);
  const testBed = await startTestBed({ users: userCount, requestsPerSecond: 500, oauth });
  const { folder, slack } = testBed;
  const env = { ...testBed.env, LOG_LEVEL: logLevel };
  const { url, drop } = await createDatabase(serverUrl);
  const sources = new Map<string, string>();
  // The older version creates the schema.
  const fleet = await startFleet(
    replicaNames,
    { env, folder, databaseUrl: url, timings },
    (name) => sources.get(name) ?? versions.older,
  );
  const { db, close } = await connectDatabase(url);
  await watchStates(db);
  await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes });
  return {
    setup: {
      testBed,
      db,
      fleet,
      versions,
      url,
      random: createRandom(seed),
      posts: watchPosts(slack),
      setSources: (name, folderOfSources) => void sources.set(name, folderOfSources),
    },
    async stop() {
      await fleet.stop();
      await close();
      await drop();
      await testBed.stop();
      await rm(sourcesFolder, { recursive: true, force: true });
    },
  };
}
