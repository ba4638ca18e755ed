import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../playground/service/data/random.ts';
import type { ReceivedRequest } from '../../playground/service/portal/portal-server.ts';
import type { User } from '../../playground/service/resources.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';
import { writesByUser } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { findUnfinishedWork } from '../replicas/read-approvals.ts';
import { checkpointFileOf } from '../replicas/start-replica.ts';
import { countBy, shorten, spread } from '../replicas/statistics.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { readMoments } from '../replicas/watch-states.ts';
import { type ChaosSetup, openChaos, replicaNames, timings } from './chaos-setup.ts';
import { checkChaos } from './check-chaos.ts';
import { killRunning, recoveryTimes } from './kill-running.ts';
import { type SimulatedRequest, simulateRequest } from './simulate-request.ts';

export type ChaosOptions = { serverUrl: string; kills: number; seed: number };

const killingMs = 8.8 * 60_000;
/** Longer than a job of a dead process counts as active. */
const quietMs = 170_000;
const maxConcurrent = 10;
const requestEveryMs = 650;

/** Kills replicas while they run approved actions, then checks the database, Slack and the service. */
export async function chaosApprovals({ serverUrl, kills, seed }: ChaosOptions) {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  say(`seed ${seed}: ${kills} kills, ${replicaNames.length} replicas.`);
  const { setup, url, stop } = await openChaos(serverUrl, createRandom(seed));
  try {
    const { testBed, db, fleet } = setup;
    const watched = watchWrites(testBed.service);
    const ending = new AbortController();
    const running = simulateRequests(setup, ending.signal);
    const killed = await killRunning(setup, { url, kills, forMs: killingMs }, async (count) => {
      if (count % 20 === 0) say(`${count} kills after ${seconds()} s`);
      // Deletions have a grace period of a minute before this, and none after it.
      if (count === Math.ceil(kills / 2)) await changeGrace(setup, 0);
    });
    ending.abort();
    const simulated = await running;
    say(`${simulated.length} requests after ${seconds()} s; waiting until no work is left.`);
    let unfinished: string[] = [];
    await waitFor(
      async () => {
        unfinished = await findUnfinishedWork(db);
        return unfinished.length === 0;
      },
      { forMs: quietMs, everyMs: 500 },
    );

    const writes = watched.stop();
    const last = await checkChaos(setup, simulated, writesByUser(writes));
    const { log, violations: breaks } = await verifyLog(db, {
      env: testBed.env,
      checkpointFiles: replicaNames.map((name) => checkpointFileOf(testBed.folder, name)),
    });
    const violations = [
      ...unfinished,
      ...fleet.failures,
      ...breaks,
      ...last.violations,
      ...last.orphanCopies,
      ...(killed.length < kills ? [`only ${killed.length} kills in time`] : []),
    ];
    return {
      ...{ bench: 'chaos approvals', seed, replicas: replicaNames.length, timings },
      kills: killed.length,
      killsWhileExecuting: killed.filter(({ executing }) => executing.length > 0).length,
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
      log,
      orphanCopies: last.orphanCopies.length,
      seconds: seconds(),
      violations: shorten(violations),
    };
  } finally {
    await stop();
  }
}

/** Sends requests continuously, each about a different user, at most `maxConcurrent` at a time. */
async function simulateRequests(
  setup: ChaosSetup,
  signal: AbortSignal,
): Promise<SimulatedRequest[]> {
  const { testBed } = setup;
  const users = testBed.service.users(testBed.portal.id).slice(1);
  const done: SimulatedRequest[] = [];
  const underWay = new Set<Promise<void>>();
  const run = async (user: User) => void done.push(await simulateRequest(setup, user));
  for (const user of users) {
    if (signal.aborted) break;
    const simulation: Promise<void> = run(user).finally(() => underWay.delete(simulation));
    underWay.add(simulation);
    await wait(requestEveryMs);
    if (underWay.size >= maxConcurrent) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return done;
}

async function changeGrace({ db }: ChaosSetup, minutes: number): Promise<void> {
  await db.updateTable('workspace_settings').set({ delete_grace_minutes: minutes }).execute();
}

/** Collects the requests that change something, because the service's log drops the oldest. */
function watchWrites({ requests }: ReferenceService) {
  const writes = new Set<ReceivedRequest>();
  const collect = () => {
    for (const request of requests) if (request.method !== 'GET') writes.add(request);
  };
  const timer = setInterval(collect, 1000);
  return {
    stop(): Set<ReceivedRequest> {
      clearInterval(timer);
      collect();
      return writes;
    },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
