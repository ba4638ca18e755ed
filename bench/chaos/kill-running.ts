import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { listenTo } from '../replicas/listen-to.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { beganChannel, type Moment } from '../replicas/watch-states.ts';
import type { ChaosSetup } from './chaos-setup.ts';
import type { Fleet } from './fleet.ts';

/** One `kill -9`, and the requests whose steps that replica was running. */
export type Kill = { name: string; at: Date; running: string[] };

const defaultEveryMs = 1700;

/** Kills the replica that has just begun a step, `kills` times. */
export async function killRunning(
  setup: ChaosSetup & { fleet: Fleet },
  {
    url,
    kills,
    forMs,
    everyMs = defaultEveryMs,
  }: { url: string; kills: number; forMs: number; everyMs?: number },
  onKill: (count: number) => Promise<void> = async () => undefined,
): Promise<Kill[]> {
  const { fleet, random } = setup;
  const killed: Kill[] = [];
  const until = performance.now() + forMs;
  const began = await listenTo(url, beganChannel);
  try {
    while (killed.length < kills && performance.now() < until) {
      const next = performance.now() + everyMs * (0.5 + random.integer(0, 100) / 100);
      // At least one replica must be running to take over.
      await waitFor(() => fleet.running().length > 1, { forMs: 20_000, everyMs: 20 });
      began.clear();
      await waitFor(() => began.newest() !== undefined, { forMs: 5000, everyMs: 2 });
      const name = began.newest() ?? fleet.running()[0]?.name ?? '';
      await wait(random.integer(0, 100));
      if (await fleet.kill(name)) {
        killed.push({ name, at: new Date(), running: await runBy(setup, name) });
        await onKill(killed.length);
      }
      await wait(Math.max(0, next - performance.now()));
    }
  } finally {
    await began.close();
  }
  return killed;
}

/** The runs with a step leased by this replica, which was killed. */
async function runBy({ db }: ChaosSetup, name: string): Promise<string[]> {
  const { rows } = await sql`select distinct run.id::text as id from run
    join bench_moment on bench_moment.lease_holder = run.lease_holder
      and bench_moment.approval_id = run.id::text
    where run.state = 'running' and bench_moment.replica = ${name}`.execute(db);
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

const unknownStates = new Set(['running', 'outcome_unknown']);

/** For each request whose replica was killed, the milliseconds until its outcome was known. */
export function recoveryTimes(killed: Kill[], moments: Moment[]): number[] {
  const byApproval = Map.groupBy(moments, ({ approvalId }) => approvalId);
  return killed.flatMap(({ at, running }) =>
    running.flatMap((id) => {
      const known = byApproval
        .get(id)
        ?.find((moment) => moment.at > at && !unknownStates.has(moment.state));
      return known ? [known.at.getTime() - at.getTime()] : [];
    }),
  );
}
