import { createRandom } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { openPolicyRequests } from '../../test/support/policy-requests.ts';
import { startFleet } from '../chaos/fleet.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { waitForWork } from '../replicas/read-approvals.ts';
import { setUp, startTestBed } from '../replicas/test-bed.ts';
import { watchStates } from '../replicas/watch-states.ts';
import { countBy, shorten, spread } from '../statistics.ts';
import { injectChanges } from './inject-changes.ts';
import { killChanges } from './kill-changes.ts';

const replicaNames = ['replica-1', 'replica-2', 'replica-3'];

/** Fractions of the defaults, so that a request ends within seconds after a kill. */
const timings = {
  leaseMs: 2000,
  settleMs: 1500,
  checkMs: 200,
  followEveryMs: 50,
  followMs: 5000,
  busyMs: 300,
};
const quietMs = 60_000;

/**
 * Kills the process that changes or reverts a policy, and changes policies elsewhere while requests
 * wait. The service must hold the old or the new policy, the message say which, and nothing that
 * somebody else changed be overwritten outside the window between the last reading and the PUT.
 */
export async function chaosPolicies({
  serverUrl,
  kills,
  seed,
  oauth,
}: {
  serverUrl: string;
  kills: number;
  seed: number;
  oauth: boolean;
}) {
  const begun = performance.now();
  const random = createRandom(seed);
  const testBed = await startTestBed({
    users: 20,
    requestsPerSecond: 500,
    dialect: 'live',
    oauth,
  });
  const { env, folder, slack } = testBed;
  testBed.service.setTaskTimings({ delayMs: 150 });
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  await watchStates(db);
  const fleet = await startFleet(replicaNames, { env, folder, databaseUrl: url, timings });
  await setUp(testBed, { requestUrl: fleet.running()[0]?.requestUrl, graceMinutes: 0 });
  const requests = await openPolicyRequests({ env, slack, db, clock: () => new Date() });
  const setup = { testBed, db, fleet, random, requests };
  try {
    const killed = await killChanges(setup, { url, kills });
    const injected = await injectChanges(setup, { count: 2 * kills });
    const unfinished = await waitForWork(db, quietMs);
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const tokens = checkTokens(slack);
    return {
      bench: 'chaos policies',
      seed,
      replicas: replicaNames.length,
      timings,
      kills: killed.rounds.length,
      killsWhileRunning: killed.rounds.filter(({ wasRunning }) => wasRunning).length,
      requests: countBy(killed.rounds, ({ kind }) => kind),
      ended: countBy(killed.rounds, ({ state }) => state),
      injected: countBy(injected.cases, ({ result }) => result),
      /** Between the last reading and the PUT, as the service sees them. */
      windowMs: spread(injected.windows),
      ...tokens.figures,
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten([
        ...killed.violations,
        ...injected.violations,
        ...fleet.failures,
        ...unfinished,
        ...breaks,
        ...tokens.violations,
      ]),
    };
  } finally {
    await requests.close();
    await fleet.stop();
    await close();
    await drop();
    await testBed.stop();
  }
}
