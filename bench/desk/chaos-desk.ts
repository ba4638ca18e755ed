import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '../../playground/service/data/random.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { defaultTimings } from '../../src/features/watches/timings.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { startFleet } from '../chaos/fleet.ts';
import { amount } from '../read-options.ts';
import { watchWrites } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { setUp, startTestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { shorten } from '../statistics.ts';
import {
  checkCleared,
  clearAll,
  clearedAlerts,
  clearingChannel,
  countResults,
  openClearing,
  setClearingFaults,
} from './cleared.ts';
import {
  checkMuted,
  countHeld,
  muteChannels,
  mutedAlerts,
  mutedChannels,
  raiseMuted,
} from './muted.ts';
import { checkSnoozed, postSnoozed, snoozeAll, snoozedChannels } from './snoozed.ts';
import { type DeskSetup, killAll, patienceMs } from './stage.ts';

const replicaNames = ['replica-1', 'replica-2', 'replica-3'];
const outageMs = amount(20_000, 3000);
/** A poll that has failed several times in a row waits before it reads the last alerts. */
const settleMs = defaultTimings.maxBackoffMs + patienceMs;

type Options = { serverUrl: string; kills: number; seed: number; oauth: boolean };

/**
 * Mutes and snoozes that end, and alerts that are cleared at once, while all replicas are killed and the
 * service fails. Every alert must be shown, counted and cleared once, except for messages that were in
 * Slack, but not recorded, at a kill.
 */
export async function chaosDesk({ serverUrl, kills, seed, oauth }: Options) {
  const begun = performance.now();
  const random = createRandom(seed);
  const testBed = await startTestBed({
    users: 20,
    requestsPerSecond: 500,
    dialect: 'live',
    pageSize: 100,
    oauth,
    channels: [...mutedChannels, ...snoozedChannels, clearingChannel],
  });
  const { env, folder, service, slack } = testBed;
  const { url, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(url);
  const fleet = await startFleet(replicaNames, { env, folder, databaseUrl: url });
  const setup: DeskSetup = { testBed, db, fleet, copies: [] };
  try {
    await setUp(testBed, {
      requestUrl: fleet.running()[0]?.requestUrl,
      graceMinutes: 0,
      alertsCleared: clearedAlerts,
    });
    const posted = await postSnoozed(setup);
    const form = await openClearing(setup);
    const endsAt = await muteChannels(setup);
    const snoozed = await snoozeAll(setup, posted);
    const written = watchWrites(service);
    const everyMs = (endsAt - Date.now()) / kills;
    setClearingFaults(setup, random);
    const [clearedAtKill, outages] = await Promise.all([
      clearAll(setup, { form, writes: written.read }),
      failUntil(setup, endsAt, random),
      raiseMuted(setup, endsAt),
      killAtRandom(setup, { kills, everyMs, random }),
    ]);
    let missing: string[] = [];
    await waitFor(
      async () => {
        missing = [
          ...(await checkMuted(setup)),
          ...(await checkSnoozed(setup, snoozed)),
          ...(await checkCleared(setup, written.read())),
        ];
        return missing.length === 0;
      },
      { forMs: settleMs, everyMs: 1000 },
    );
    const writes = written.stop();
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const tokens = checkTokens(slack);
    return {
      chaos: 'desk',
      seed,
      replicas: replicaNames.length,
      kills: kills + 1,
      outages,
      muted: { channels: mutedChannels.length, alerts: mutedAlerts, held: countHeld(setup) },
      snoozed: snoozed.length,
      cleared: {
        alerts: clearedAlerts,
        ...(await countResults(setup)),
        changes: writes.size,
        /** That had a result when all replicas were killed. */
        atKill: clearedAtKill,
      },
      /** Second copies of messages that were in Slack, but not recorded, at a kill. */
      copies: setup.copies.length,
      ...tokens.figures,
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten([
        ...missing,
        ...(clearedAtKill < clearedAlerts ? [] : ['no replica was killed while it cleared alerts']),
        ...fleet.failures,
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

/** The service is down two thirds of the time. Resolves to how often. */
async function failUntil(setup: DeskSetup, endsAt: number, random: Random): Promise<number> {
  let outages = 0;
  for (; Date.now() + outageMs < endsAt + outageMs / 2; outages += 1) {
    await wait(outageMs / 2);
    setup.testBed.service.setFault({ kind: 'status', status: 503 });
    await wait(outageMs);
    setClearingFaults(setup, random);
  }
  return outages;
}

async function killAtRandom(
  setup: DeskSetup,
  { kills, everyMs, random }: { kills: number; everyMs: number; random: Random },
): Promise<void> {
  for (let count = 0; count < kills; count += 1) {
    await wait(random.integer(0, everyMs));
    await killAll(setup);
  }
}
