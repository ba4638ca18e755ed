import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { startFleet } from '../chaos/fleet.ts';
import { watchWrites } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { readApprovals, waitForWork } from '../replicas/read-approvals.ts';
import { setUp, startTestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { watchStates } from '../replicas/watch-states.ts';
import { countBy, shorten } from '../statistics.ts';
import { killRestores, maxTaskMs } from './kill-restores.ts';
import { checkRestores, checkUnderWay } from './read-restores.ts';

const replicaNames = ['replica-1', 'replica-2', 'replica-3'];
const timings = { leaseMs: 2000, settleMs: 1500, checkMs: 200 };
/** Belay looks for a lost restore for a day, and follows a task for a week. */
const aheadMs = 8 * 24 * 60 * 60_000;
/** A process that died while it updated a message has claimed that for 30 seconds. */
const quietMs = 90_000;

type Options = { serverUrl: string; kills: number; seed: number; oauth: boolean };

/**
 * Kills the process that runs a restore, while answers are lost, tasks fail, stall or vanish, and backups
 * expire. Then, eight days later, each volume must be restored once, or said not to be.
 */
export async function chaosRestores({ serverUrl, kills, seed, oauth }: Options) {
  const begun = performance.now();
  const random = createRandom(seed);
  const testBed = await startTestBed({
    users: 20,
    requestsPerSecond: 500,
    dialect: 'live',
    pageSize: 100,
    oauth,
  });
  const { env, folder, service, slack } = testBed;
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  await watchStates(db);
  const plan = { env, folder, databaseUrl: url, timings };
  let fleet = await startFleet(replicaNames, plan);
  try {
    await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes: 0 });
    const watched = watchWrites(service);
    const setup = { testBed, db, fleet, random };
    const rounds = await killRestores(setup, { url, kills });

    const seconds = () => Math.round((performance.now() - begun) / 1000);
    const say = (what: string) => process.stdout.write(`${what} after ${seconds()} s.\n`);
    say(`${rounds.length} kills`);
    const isSent = async () =>
      (await readApprovals(db)).every(({ wakeAt, sent }) => !wakeAt || sent.length > 0);
    await waitFor(isSent, { forMs: quietMs, everyMs: 500 });
    say('All are sent');
    await wait(2 * maxTaskMs);
    let early: string[] = [];
    await waitFor(
      async () => {
        early = await checkUnderWay(setup);
        return early.length === 0;
      },
      { forMs: quietMs, everyMs: 1000 },
    );
    const underWay = countBy(await readApprovals(db), ({ state }) => state);

    say('All are shown');
    await fleet.stop();
    const failures = [...fleet.failures];
    fleet = await startFleet(replicaNames, { ...plan, aheadMs });
    const unfinished = await waitForWork(db, quietMs);
    const last = await checkRestores(setup, watched.stop());
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const tokens = checkTokens(slack);
    return {
      bench: 'chaos restores',
      seed,
      replicas: replicaNames.length,
      timings,
      kills: rounds.length,
      interrupted: countBy(rounds, ({ atKill }) => atKill),
      faults: countBy(rounds, ({ fault }) => fault),
      tasks: countBy(rounds, ({ outcome }) => outcome),
      expiring: rounds.filter(({ expires }) => expires).length,
      requests: last.approvals.length,
      posts: last.posts,
      volumes: last.volumes,
      underWay,
      ended: countBy(last.approvals, ({ state }) => state),
      ...tokens.figures,
      log,
      seconds: seconds(),
      violations: shorten([
        ...(rounds.length < kills ? [`only ${rounds.length} kills`] : []),
        ...early,
        ...last.violations,
        ...failures,
        ...fleet.failures,
        ...unfinished,
        ...breaks,
        ...tokens.violations,
      ]),
    };
  } finally {
    await fleet.stop();
    await close();
    await drop();
    await testBed.stop();
  }
}
