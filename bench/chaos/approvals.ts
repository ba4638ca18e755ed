import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../playground/service/data/random.ts';
import type { User } from '../../playground/service/resources.ts';
import { writesByUser } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { countBy, shorten, spread } from '../replicas/figures.ts';
import { findUnrest } from '../replicas/read-approvals.ts';
import { checkpointFileOf } from '../replicas/start-replica.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { readMoments } from '../replicas/watch-states.ts';
import type { Arena } from './arena.ts';
import { checkChaos } from './check-chaos.ts';
import { killExecuting } from './kill-executing.ts';
import { openArena, replicaNames, timings } from './open-arena.ts';
import { recoveryTimes } from './recovery.ts';
import { type Errand, runErrand } from './run-errand.ts';
import { watchWrites } from './watch-writes.ts';

export type ChaosOptions = { serverUrl: string; kills: number; seed: number };

const killingMs = 8.8 * 60_000;
/** Longer than a job counts as being done by someone who has died. */
const quietMs = 170_000;
const errandsAtOnce = 10;
const errandEveryMs = 650;

/** Kills whoever carries something out, again and again, and looks what is true at the end. */
export async function chaosApprovals({ serverUrl, kills, seed }: ChaosOptions) {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  say(`seed ${seed}: ${kills} kills, ${replicaNames.length} replicas.`);
  const { arena, url, stop } = await openArena(serverUrl, createRandom(seed));
  try {
    const { stage, db, fleet } = arena;
    const watched = watchWrites(stage.service);
    const ending = new AbortController();
    const running = runErrands(arena, ending.signal);
    const deaths = await killExecuting(arena, { url, kills, forMs: killingMs }, async (count) => {
      if (count % 20 === 0) say(`${count} kills after ${seconds()} s`);
      // Until here a deletion waited for a minute; from now on it happens at once.
      if (count === Math.ceil(kills / 2)) await changeGrace(arena, 0);
    });
    ending.abort();
    const errands = await running;
    say(`${errands.length} requests after ${seconds()} s; waiting until all is quiet.`);
    let unrest: string[] = [];
    await waitFor(
      async () => {
        unrest = await findUnrest(db);
        return unrest.length === 0;
      },
      { forMs: quietMs, everyMs: 500 },
    );

    const writes = watched.stop();
    const last = await checkChaos(arena, errands, writesByUser(writes));
    const { log, violations: breaks } = await verifyLog(db, {
      env: stage.env,
      checkpointFiles: replicaNames.map((name) => checkpointFileOf(stage.folder, name)),
    });
    const violations = [
      ...unrest,
      ...fleet.failures,
      ...breaks,
      ...last.violations,
      ...last.strayCopies,
      ...(deaths.length < kills ? [`only ${deaths.length} kills in time`] : []),
    ];
    return {
      ...{ bench: 'chaos approvals', seed, replicas: replicaNames.length, timings },
      kills: deaths.length,
      killsWhileExecuting: deaths.filter(({ executing }) => executing.length > 0).length,
      requests: errands.length,
      askedAgain: errands.reduce((sum, { asked }) => sum + Math.max(0, asked - 1), 0),
      clicks: errands.reduce((sum, one) => sum + one.clicks, 0),
      actions: countBy(errands, ({ verb }) => verb),
      faults: countBy(errands, ({ fault }) => fault),
      ended: countBy(last.approvals, ({ state }) => state),
      writes: writes.size,
      repeatsWithoutEffect: last.repeats,
      recoveryMs: spread(recoveryTimes(deaths, await readMoments(db))),
      restartMs: spread(fleet.startedInMs),
      log,
      strayCopies: last.strayCopies.length,
      seconds: seconds(),
      violations: shorten(violations),
    };
  } finally {
    await stop();
  }
}

/** New requests all the time, so many under way at once, each about a user of its own. */
async function runErrands(arena: Arena, signal: AbortSignal): Promise<Errand[]> {
  const { stage } = arena;
  const users = stage.service.users(stage.portal.id).slice(1);
  const done: Errand[] = [];
  const underWay = new Set<Promise<void>>();
  const run = async (user: User) => void done.push(await runErrand(arena, user));
  for (const user of users) {
    if (signal.aborted) break;
    const errand: Promise<void> = run(user).finally(() => underWay.delete(errand));
    underWay.add(errand);
    await wait(errandEveryMs);
    if (underWay.size >= errandsAtOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return done;
}

async function changeGrace({ db }: Arena, minutes: number): Promise<void> {
  await db.updateTable('workspace_settings').set({ delete_grace_minutes: minutes }).execute();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
