import type { Random } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { setUp, startStage } from '../replicas/stage.ts';
import { watchPosts } from '../replicas/watch-posts.ts';
import { watchStates } from '../replicas/watch-states.ts';
import type { Arena } from './arena.ts';
import { startFleet } from './fleet.ts';

export const replicaNames = ['replica-1', 'replica-2', 'replica-3'];

/** Ten times as impatient as usual, so that much can happen in a few minutes. */
export const timings = { leaseMs: 3000, settleMs: 2000, checkMs: 300 };

const userCount = 1000;
const graceMinutes = 1;

export async function openArena(
  serverUrl: string,
  random: Random,
): Promise<{ arena: Arena; url: string; stop: () => Promise<void> }> {
  const stage = await startStage({ users: userCount });
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  await watchStates(db);
  const { env, folder, slack } = stage;
  const fleet = await startFleet(replicaNames, { env, folder, databaseUrl: url, timings });
  slack.connectApp(fleet.running()[0]?.requestUrl ?? '');
  await setUp(stage, graceMinutes);
  return {
    arena: { stage, db, fleet, random, posts: watchPosts(slack) },
    url,
    async stop() {
      await fleet.stop();
      await close();
      await drop();
      await stage.stop();
    },
  };
}
