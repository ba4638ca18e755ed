import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../../playground/service/data/random.ts';
import { watchWrites, writesByUser } from '../../replicas/check-effect.ts';
import { verifyLog } from '../../replicas/check-log.ts';
import { waitForWork } from '../../replicas/read-approvals.ts';
import { countBy, shorten, spread } from '../../statistics.ts';
import { type ChaosSetup, openChaos, timings } from '../chaos-setup.ts';
import type { Fleet } from '../fleet.ts';
import { checkBulk } from './check-bulk.ts';
import { simulateBulk } from './simulate-bulk.ts';

type Options = { serverUrl: string; kills: number; seed: number; oauth: boolean };

const names = ['replica-1', 'replica-2'];
const killingMs = 8 * 60_000;
/** Longer than a dead process's leases last, and what failed waits. */
const quietMs = 170_000;

/**
 * Requests changes of 50 users at once while replicas are killed at random moments, then checks that
 * each user was changed exactly once, or is reported as not changed.
 */
export async function chaosBulk({ serverUrl, kills, seed, oauth }: Options) {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  say(`seed ${seed}: ${kills} kills, ${names.length} replicas.`);
  const random = createRandom(seed);
  const { setup, fleet, stop } = await openChaos({ serverUrl, oauth, names }, random);
  try {
    const { testBed, db } = setup;
    const watched = watchWrites(testBed.service);
    const ending = new AbortController();
    const running = simulateBulk(setup, ending.signal);
    const killed = await killAtRandom({ ...setup, fleet }, kills);
    ending.abort();
    const simulated = await running;
    say(`${simulated.length} requests after ${seconds()} s; waiting until no work is left.`);
    const unfinished = await waitForWork(db, quietMs);
    const writes = watched.stop();
    const last = await checkBulk(setup, simulated, writesByUser(writes));
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const violations = [
      ...unfinished,
      ...fleet.failures,
      ...breaks,
      ...last.violations,
      ...(killed < kills ? [`only ${killed} kills in time`] : []),
    ];
    return {
      bench: 'chaos bulk',
      seed,
      replicas: names.length,
      timings,
      kills: killed,
      requests: simulated.length,
      verbs: countBy(simulated, ({ verb }) => verb),
      users: simulated.reduce((sum, { users }) => sum + users.length, 0),
      results: countBy(last.runs, ({ state }) => state),
      ended: countBy(last.requests, ({ state }) => state),
      writes: writes.size,
      repeatsWithoutEffect: last.repeats,
      restartMs: spread(fleet.startedInMs),
      log,
      seconds: seconds(),
      violations: shorten(violations),
    };
  } finally {
    await stop();
  }
}

/** Repeatedly kills one of the replicas at a random moment; the other one may be starting. */
async function killAtRandom(
  { fleet, random }: ChaosSetup & { fleet: Fleet },
  kills: number,
): Promise<number> {
  const until = performance.now() + killingMs;
  let killed = 0;
  while (killed < kills && performance.now() < until) {
    await wait(random.integer(50, 4000));
    const name = random.pick(fleet.running())?.name;
    if (name && (await fleet.kill(name))) {
      killed += 1;
      if (killed % 10 === 0) say(`${killed} kills`);
    }
  }
  return killed;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
