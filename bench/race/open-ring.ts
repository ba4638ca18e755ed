import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import { createLogger } from '../../src/logger.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { type Stage, setUp, startStage } from '../replicas/stage.ts';
import { checkpointFileOf, startReplica } from '../replicas/start-replica.ts';
import { type Posts, watchPosts } from '../replicas/watch-posts.ts';
import { watchStates } from '../replicas/watch-states.ts';

/** Where the rivals meet: a stage, a database, and as many replicas as it can take. */
export type Ring = {
  stage: Stage;
  db: Database;
  posts: Posts;
  kind: 'PostgreSQL' | 'PGlite';
  replicas: { requestUrl: string }[];
  checkpointFiles: string[];
  stop: () => Promise<void>;
};

const replicaNames = ['replica-1', 'replica-2', 'replica-3', 'replica-4'];

/** Four processes on a fresh PostgreSQL database; without one, Belay in this process on PGlite. */
export async function openRing(serverUrl: string | undefined, users: number): Promise<Ring> {
  const stage = await startStage({ users });
  const ring = await (serverUrl ? onPostgres(serverUrl, stage) : onPGlite(stage)).catch(
    async (error: unknown) => {
      await stage.stop();
      throw error;
    },
  );
  stage.slack.connectApp(ring.replicas[0]?.requestUrl ?? '');
  await setUp(stage, 0);
  const stop = async () => {
    await ring.stop();
    await stage.stop();
  };
  return { ...ring, stage, posts: watchPosts(stage.slack), stop };
}

async function onPostgres(serverUrl: string, { env, folder }: Stage) {
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  await watchStates(db);
  const replicas = await Promise.all(
    replicaNames.map((name) => startReplica({ name, env, databaseUrl: url, folder })),
  );
  return {
    kind: 'PostgreSQL' as const,
    db,
    replicas,
    checkpointFiles: replicaNames.map((name) => checkpointFileOf(folder, name)),
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await close();
      await drop();
    },
  };
}

async function onPGlite({ env }: Stage) {
  const { close, ...opened } = await openDatabase('pglite:memory');
  await watchStates(opened.db);
  const belay = await startBelay(readConfig(env), {
    log: createLogger('silent'),
    openDatabase: async () => ({ ...opened, close: async () => undefined }),
  });
  return {
    kind: 'PGlite' as const,
    db: opened.db,
    replicas: [{ requestUrl: `http://127.0.0.1:${belay.port}/slack/events` }],
    checkpointFiles: [env.BELAY_CHECKPOINT_FILE ?? ''],
    async stop() {
      await belay.stop();
      await close();
    },
  };
}
