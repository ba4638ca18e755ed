import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../../playground/service/data/random.ts';
import { listenTo } from '../../../replicas/listen-to.ts';
import { waitFor } from '../../../replicas/wait-for.ts';
import type { Fleet } from '../../fleet.ts';
import { attemptChannel } from './watch-refreshes.ts';

export type Kill = { name: string; at: Date };

/** Between two kills, on average. A replica needs seconds to start again. */
const everyMs = 900;

/** Kills a replica that has just begun to refresh a token, until `limit` or until `isDone`. */
export async function killRefreshing(
  { url, fleet, random }: { url: string; fleet: Fleet; random: Random },
  { limit, isDone }: { limit: number; isDone: () => boolean },
): Promise<Kill[]> {
  const killed: Kill[] = [];
  const began = await listenTo(url, attemptChannel);
  try {
    while (killed.length < limit && !isDone()) {
      const next = performance.now() + everyMs * (0.5 + random.integer(0, 100) / 100);
      await waitFor(() => fleet.running().length > 1 || isDone(), { forMs: 30_000, everyMs: 20 });
      began.clear();
      await waitFor(() => began.newest() !== undefined || isDone(), { forMs: 30_000, everyMs: 2 });
      const name = began.newest();
      if (name === undefined) break;
      await wait(random.integer(0, 250));
      const at = new Date();
      if (await fleet.kill(name)) killed.push({ name, at });
      await wait(Math.max(0, next - performance.now()));
    }
  } finally {
    await began.close();
  }
  return killed;
}
