import type { Random } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { amount } from '../read-options.ts';
import type { Replica } from '../replicas/start-replica.ts';
import { setUp, startTestBed, type TestBed } from '../replicas/test-bed.ts';
import { type Posts, watchPosts } from '../replicas/watch-posts.ts';
import { watchStates } from '../replicas/watch-states.ts';
import { type Fleet, startFleet } from './fleet.ts';

/** What the simulated requests, the killing and the checks work with. */
export type ChaosSetup = {
  testBed: TestBed;
  db: Database;
  posts: Posts;
  fleet: {
    running: () => Pick<Replica, 'name' | 'requestUrl'>[];
    /** Whether the replica gets no more requests, but still works on those it has. */
    isStopping?: (name: string) => boolean;
  };
  random: Random;
};

export const replicaNames = ['replica-1', 'replica-2', 'replica-3'];

/**
 * A fraction of the defaults, so that much can happen in a few minutes. The replicas run on real
 * clocks, because faster ones would shorten leases and the service's answers unevenly.
 */
export const timings = { leaseMs: 3000, settleMs: 2000, checkMs: 300 };

const userCount = 1000;
/** Without it, no work of the short form waits for its end. */
const graceMinutes = amount(1, 0);

export async function openChaos(
  {
    serverUrl,
    oauth,
    names = replicaNames,
    hasHomeTab,
  }: { serverUrl: string; oauth: boolean; names?: string[]; hasHomeTab?: boolean },
  random: Random,
): Promise<{ setup: ChaosSetup; fleet: Fleet; url: string; stop: () => Promise<void> }> {
  // Processes live for seconds here, too short for a useful share of the default rate.
  const testBed = await startTestBed({
    users: userCount,
    requestsPerSecond: 500,
    oauth,
    ...(hasHomeTab && { hasHomeTab }),
  });
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  await watchStates(db);
  const { env, folder, slack } = testBed;
  const fleet = await startFleet(names, { env, folder, databaseUrl: url, timings });
  await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes });
  return {
    setup: { testBed, db, fleet, random, posts: watchPosts(slack) },
    fleet,
    url,
    async stop() {
      await fleet.stop();
      await close();
      await drop();
      await testBed.stop();
    },
  };
}
