import { sql } from 'kysely';
import { createRandom } from '../../playground/service/data/random.ts';
import { watchWrites, writesByUser } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { waitForWork } from '../replicas/read-approvals.ts';
import { readMoments } from '../replicas/watch-states.ts';
import { countBy, shorten, spread } from '../statistics.ts';
import { type ChaosSetup, openChaos, replicaNames, timings } from './chaos-setup.ts';
import { checkChaos } from './check-chaos.ts';
import { killRunning, recoveryTimes } from './kill-running.ts';
import { simulateRequests } from './simulate-request.ts';

type ChaosOptions = { serverUrl: string; kills: number; seed: number; oauth: boolean };

const killingMs = 8.8 * 60_000;
/** Longer than a dead process's leases last, and what failed waits. */
const quietMs = 170_000;

/** Kills replicas while they run approved actions, then checks the database, Slack and the service. */
export async function chaosApprovals({ serverUrl, kills, seed, oauth }: ChaosOptions) {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  say(`seed ${seed}: ${kills} kills, ${replicaNames.length} replicas.`);
  const { setup, fleet, url, stop } = await openChaos({ serverUrl, oauth }, createRandom(seed));
  try {
    const { testBed, db } = setup;
    const watched = watchWrites(testBed.service);
    const ending = new AbortController();
    const running = simulateRequests(setup, ending.signal);
    const killed = await killRunning(
      { ...setup, fleet },
      { url, kills, forMs: killingMs },
      async (count) => {
        if (count % 20 === 0) say(`${count} kills after ${seconds()} s`);
        // Deletions have a grace period of a minute before this, and none after it.
        if (count === Math.ceil(kills / 2)) await changeGrace(setup, 0);
      },
    );
    ending.abort();
    const simulated = await running;
    say(`${simulated.length} requests after ${seconds()} s; waiting until no work is left.`);
    const unfinished = await waitForWork(db, quietMs);

    const writes = watched.stop();
    const last = await checkChaos(setup, simulated, writesByUser(writes));
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const tokens = checkTokens(testBed.slack);
    const violations = [
      ...tokens.violations,
      ...unfinished,
      ...fleet.failures,
      ...breaks,
      ...last.violations,
      ...last.orphanCopies,
      ...(killed.length < kills ? [`only ${killed.length} kills in time`] : []),
    ];
    return {
      bench: 'chaos approvals',
      seed,
      replicas: replicaNames.length,
      timings,
      kills: killed.length,
      killsWhileRunning: killed.filter(({ running }) => running.length > 0).length,
      requests: simulated.length,
      requestedAgain: simulated.reduce(
        (sum, { submissions }) => sum + Math.max(0, submissions - 1),
        0,
      ),
      clicks: simulated.reduce((sum, one) => sum + one.clicks, 0),
      actions: countBy(simulated, ({ verb }) => verb),
      faults: countBy(simulated, ({ fault }) => fault),
      ended: countBy(last.approvals, ({ state }) => state),
      writes: writes.size,
      repeatsWithoutEffect: last.repeats,
      recoveryMs: spread(recoveryTimes(killed, await readMoments(db))),
      restartMs: spread(fleet.startedInMs),
      ...tokens.figures,
      log,
      orphanCopies: last.orphanCopies.length,
      seconds: seconds(),
      violations: shorten(violations),
    };
  } finally {
    await stop();
  }
}

/** The other settings stay: with their defaults, few requests could be approved. */
async function changeGrace({ db }: ChaosSetup, minutes: number): Promise<void> {
  await sql`
    update workspace_settings
    set settings = settings || jsonb_build_object('deleteGraceMinutes', ${minutes}::integer)`.execute(
    db,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
