import type { Channel } from '../../playground/slack/workspace.ts';
import { directUrlOf } from '../../scripts/postgres-url.ts';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import { createLogger } from '../../src/logger.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { callLimits } from '../replicas/call-limits.ts';
import { startReplica } from '../replicas/start-replica.ts';
import { setUp, startTestBed, type TestBed } from '../replicas/test-bed.ts';
import { type Posts, watchPosts } from '../replicas/watch-posts.ts';
import { watchStates } from '../replicas/watch-states.ts';

/** The test bed, a database, and the replicas: several with PostgreSQL, one with PGlite. */
export type RaceSetup = {
  testBed: TestBed;
  db: Database;
  posts: Posts;
  kind: 'PostgreSQL' | 'PGlite';
  replicas: { requestUrl: string }[];
  stop: () => Promise<void>;
};

/** Processes on a fresh PostgreSQL database; without one, Belay in this process on PGlite. */
export async function openRace(
  serverUrl: string | undefined,
  {
    processes,
    ...options
  }: {
    users: number;
    oauth: boolean;
    processes: number;
    channels?: Channel[];
    dialect?: Dialect;
  },
): Promise<RaceSetup> {
  const testBed = await startTestBed(options);
  const setup = await (serverUrl
    ? onPostgres(serverUrl, testBed, processes)
    : onPGlite(testBed)
  ).catch(async (error: unknown) => {
    await testBed.stop();
    throw error;
  });
  await setUp(testBed, { requestUrl: setup.replicas[0]?.requestUrl, graceMinutes: 0 });
  const stop = async () => {
    await setup.stop();
    await testBed.stop();
  };
  return { ...setup, testBed, posts: watchPosts(testBed.slack), stop };
}

async function onPostgres(serverUrl: string, testBed: TestBed, processes: number) {
  const { folder } = testBed;
  const replicaNames = Array.from({ length: processes }, (_, index) => `replica-${index + 1}`);
  const { url, drop } = await createDatabase(serverUrl);
  const directUrl = directUrlOf(url);
  const env = { ...testBed.env, ...(directUrl && { DATABASE_DIRECT_URL: directUrl }) };
  const { db, close } = await openDatabase(url, { directUrl });
  await watchStates(db);
  const replicas = await Promise.all(
    replicaNames.map((name) => startReplica({ name, env, databaseUrl: url, folder })),
  );
  return {
    kind: 'PostgreSQL' as const,
    db,
    replicas,
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await close();
      await drop();
    },
  };
}

async function onPGlite({ env }: TestBed) {
  const { close, ...opened } = await openDatabase('pglite:memory');
  await watchStates(opened.db);
  const belay = await startBelay(readConfig(env), {
    callLimits,
    log: createLogger('silent'),
    openDatabase: async () => ({ ...opened, close: async () => undefined }),
  });
  return {
    kind: 'PGlite' as const,
    db: opened.db,
    replicas: [{ requestUrl: `http://127.0.0.1:${belay.port}/slack/events` }],
    async stop() {
      await belay.stop();
      await close();
    },
  };
}
