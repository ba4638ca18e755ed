import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { waitFor } from '../replicas/wait-for.ts';
import { beganChannel } from '../replicas/watch-states.ts';
import type { Arena } from './arena.ts';

/** One `kill -9`, and what that replica was carrying out when it died. */
export type Death = { name: string; at: Date; executing: string[] };

const everyMs = 1700;

/** Kills, so many times, whichever replica has just begun to carry something out. */
export async function killExecuting(
  arena: Arena,
  { url, kills, forMs }: { url: string; kills: number; forMs: number },
  onDeath: (count: number) => Promise<void>,
): Promise<Death[]> {
  const { fleet, random } = arena;
  const deaths: Death[] = [];
  const until = performance.now() + forMs;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let began: string | undefined;
  client.on('notification', ({ payload }) => {
    began = payload;
  });
  await client.query(`listen ${beganChannel}`);
  try {
    while (deaths.length < kills && performance.now() < until) {
      const next = performance.now() + everyMs * (0.5 + random.integer(0, 100) / 100);
      // One is left to take over: a fleet that is gone altogether would only be waited for.
      await waitFor(() => fleet.running().length > 1, { forMs: 20_000, everyMs: 20 });
      began = undefined;
      await waitFor(() => began !== undefined, { forMs: 5000, everyMs: 2 });
      const name = began ?? fleet.running()[0]?.name ?? '';
      await wait(random.integer(0, 100));
      if (await fleet.kill(name)) {
        deaths.push({ name, at: new Date(), executing: await executedBy(arena, name) });
        await onDeath(deaths.length);
      }
      await wait(Math.max(0, next - performance.now()));
    }
  } finally {
    await client.end();
  }
  return deaths;
}

/** What is being carried out under a lease of this replica, which is dead by now. */
async function executedBy({ db }: Arena, name: string): Promise<string[]> {
  const { rows } = await sql`select distinct approval.id::text as id from approval
    join bench_moment on bench_moment.lease_holder = approval.lease_holder
      and bench_moment.approval_id = approval.id::text
    where approval.state = 'executing' and bench_moment.replica = ${name}`.execute(db);
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}
