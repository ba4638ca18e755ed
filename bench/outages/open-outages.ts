import { createRandom } from '../../playground/service/data/random.ts';
import { restartCommand } from '../../scripts/postgres-url.ts';
import { createDatabase } from '../../test/support/databases.ts';
import type { ChaosSetup } from '../chaos/chaos-setup.ts';
import { type Replica, startReplica } from '../replicas/start-replica.ts';
import { setUp, startTestBed } from '../replicas/test-bed.ts';
import { watchPosts } from '../replicas/watch-posts.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';
import { openOwnDatabase } from './own-database.ts';

export type OutagesSetup = ChaosSetup & {
  proxy: DatabaseProxy;
  restartDatabase: () => Promise<void>;
  replicas: Replica[];
  /** Freezes one replica: nothing is sent to it until it is resumed. */
  freeze: (replica: Replica) => void;
  resume: (replica: Replica) => void;
};

export const replicaNames = ['replica-1', 'replica-2', 'replica-3'];

/** Deletions wait a minute; the other deadlines are shortened, so that much happens in ten minutes. */
const graceMinutes = 1;
const timings = { leaseMs: 3000, settleMs: 2000, checkMs: 300 };

/** Three replicas on PostgreSQL behind a proxy, with a local Slack and the reference service. */
export async function openOutages({
  serverUrl,
  seed,
  socket,
  logLevel,
}: {
  serverUrl: string;
  seed: number;
  socket: boolean;
  logLevel: string;
}): Promise<{ setup: OutagesSetup; stop: () => Promise<void> }> {
  if (!restartCommand) {
    throw new Error('This program restarts PostgreSQL: run it without DATABASE_URL.');
  }
  const testBed = await startTestBed({ users: 1500 });
  const { env, folder, slack, workspace } = testBed;
  const { url } = await createDatabase(serverUrl);
  const proxy = await startDatabaseProxy(url);
  const started = await Promise.all(
    replicaNames.map((name) =>
      startReplica({
        ...{ name, folder, timings, databaseUrl: proxy.url },
        env: {
          ...env,
          ...(socket && { SLACK_APP_TOKEN: workspace.app.appToken }),
          LOG_LEVEL: logLevel,
        },
      }),
    ),
  );
  const own = openOwnDatabase(url, restartCommand);
  const frozen = new Set<Replica>();
  const running = () => started.filter((one) => one.isRunning() && !frozen.has(one));
  slack.connectApp(started[0]?.requestUrl ?? '');
  await setUp(testBed, graceMinutes);
  return {
    setup: {
      ...{ testBed, proxy, db: own.db, replicas: started, restartDatabase: own.restartServer },
      posts: watchPosts(slack),
      random: createRandom(seed),
      fleet: { running },
      freeze(replica) {
        frozen.add(replica);
        replica.freeze();
      },
      resume(replica) {
        replica.resume();
        frozen.delete(replica);
      },
    },
    async stop() {
      await Promise.all(started.map((replica) => replica.isRunning() && replica.stop()));
      await own.close();
      await proxy.close();
      await testBed.stop();
    },
  };
}
