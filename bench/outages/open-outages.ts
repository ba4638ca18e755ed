import { createRandom } from '../../playground/service/data/random.ts';
import { restartCommand } from '../../scripts/postgres-url.ts';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import { createLogger } from '../../src/logger.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { startTcpProxy, type TcpProxy } from '../../test/support/tcp-proxy.ts';
import type { ChaosSetup } from '../chaos/chaos-setup.ts';
import { amount } from '../read-options.ts';
import { callLimits } from '../replicas/call-limits.ts';
import { type Replica, startReplica } from '../replicas/start-replica.ts';
import { setUp, startTestBed, type TestBed } from '../replicas/test-bed.ts';
import { watchPosts } from '../replicas/watch-posts.ts';
import { openOwnDatabase } from './own-database.ts';

export type OutagesSetup = ChaosSetup & {
  /** What can fail besides Slack and the service; undefined on the embedded database. */
  server?: Server | undefined;
};

export type Server = {
  proxy: TcpProxy;
  restartDatabase: () => Promise<void>;
  replicas: Replica[];
  /** Frozen replicas: nothing is sent to them. */
  frozen: Set<Replica>;
};

export type OpenOptions = {
  serverUrl: string;
  seed: number;
  socket: boolean;
  embedded: boolean;
  oauth: boolean;
  logLevel: string;
};

const replicaNames = ['replica-1', 'replica-2', 'replica-3'];

/** Deletions wait a minute; the other deadlines are shortened, so that much happens in ten minutes. */
const graceMinutes = amount(1, 0);
const timings = { leaseMs: 3000, settleMs: 2000, checkMs: 300 };

type Opened = Pick<OutagesSetup, 'server' | 'fleet'> & {
  db: Database;
  stop: () => Promise<void>;
};

/**
 * A local Slack and the reference service, with three replicas on PostgreSQL behind a proxy, or with
 * Belay in this process on PGlite.
 */
export async function openOutages({
  serverUrl,
  seed,
  socket,
  embedded,
  oauth,
  logLevel,
}: OpenOptions): Promise<{ setup: OutagesSetup; stop: () => Promise<void> }> {
  const testBed = await startTestBed({ users: 1500, oauth });
  const { slack, workspace } = testBed;
  const env = {
    ...testBed.env,
    ...(socket && { SLACK_APP_TOKEN: workspace.app.appToken }),
    LOG_LEVEL: logLevel,
  };
  const { stop, ...opened } = await (embedded
    ? openOnPGlite(env)
    : openOnPostgres(serverUrl, testBed, env));
  await setUp(testBed, { requestUrl: opened.fleet.running()[0]?.requestUrl, graceMinutes });
  return {
    setup: { ...opened, testBed, posts: watchPosts(slack), random: createRandom(seed) },
    async stop() {
      await stop();
      await testBed.stop();
    },
  };
}

async function openOnPostgres(
  serverUrl: string,
  { folder }: TestBed,
  env: Record<string, string>,
): Promise<Opened> {
  if (!restartCommand) {
    throw new Error('This program restarts PostgreSQL: run it without DATABASE_URL.');
  }
  const { url } = await createDatabase(serverUrl);
  const proxy = await startTcpProxy(url);
  const replicas = await Promise.all(
    replicaNames.map((name) =>
      startReplica({ name, folder, timings, env, databaseUrl: proxy.url }),
    ),
  );
  const own = openOwnDatabase(url, restartCommand);
  const frozen = new Set<Replica>();
  return {
    db: own.db,
    server: { proxy, restartDatabase: own.restartServer, replicas, frozen },
    fleet: { running: () => replicas.filter((one) => one.isRunning() && !frozen.has(one)) },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.isRunning() && replica.stop()));
      await own.close();
      await proxy.close();
    },
  };
}

async function openOnPGlite(env: Record<string, string>): Promise<Opened> {
  const { close, ...opened } = await openDatabase('pglite:memory');
  const config = readConfig(env);
  const belay = await startBelay(config, {
    timings,
    callLimits,
    log: createLogger(config.logLevel),
    openDatabase: async () => ({ ...opened, close: async () => undefined }),
  });
  const self = { name: 'belay', requestUrl: `http://127.0.0.1:${belay.port}/slack/events` };
  return {
    db: opened.db,
    fleet: { running: () => [self] },
    async stop() {
      await belay.stop();
      await close();
    },
  };
}
