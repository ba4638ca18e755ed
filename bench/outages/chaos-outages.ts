import { setTimeout as wait } from 'node:timers/promises';
import { checkChaos } from '../chaos/check-chaos.ts';
import { simulateRequests } from '../chaos/simulate-request.ts';
import { amount, isShort } from '../read-options.ts';
import { watchWrites, writesByUser } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { countBy, shorten } from '../statistics.ts';
import { faultsOf } from '../storm/count-alerts.ts';
import { makeAlerts } from '../storm/make-alerts.ts';
import { measureRecovery, type Recovery, recoveryAims } from './measure-recovery.ts';
import { type OpenOptions, type OutagesSetup, openOutages } from './open-outages.ts';
import { type Outage, outages } from './outages.ts';
import { type SentCommand, sendCommands } from './send-commands.ts';
import { waitUntilQuiet, watchAlerts } from './watched-alerts.ts';

type OutagesOptions = OpenOptions & { only: string };

const alertsPerMinute = 20;
const maxMs = 60 * 60_000;
const pauseMs = amount(10_000, 1000);

/** Lets the database, Slack, the service and a replica fail in turn, under a steady load. */
export async function chaosOutages({ only, ...options }: OutagesOptions) {
  const begun = performance.now();
  const { seed, socket, embedded } = options;
  const { setup, stop } = await openOutages(options);
  try {
    const { testBed, db, server } = setup;
    const replicas = server?.replicas ?? [];
    await watchAlerts(setup);

    const planned = outages.filter(
      ({ name, needs, isVariant }) =>
        name.includes(only) &&
        (needs !== 'socket' || socket) &&
        (needs !== 'server' || server) &&
        !(isShort && isVariant),
    );
    say(`seed ${seed}: ${planned.length} outages, ${replicas.length || 1} processes.`);
    const ending = new AbortController();
    const commands: SentCommand[] = [];
    const watched = watchWrites(testBed.service);
    const load = Promise.all([
      simulateRequests(setup, ending.signal),
      sendCommands(setup, ending.signal, commands),
      makeAlerts(testBed.service, {
        portalId: testBed.portal.id,
        perMinute: alertsPerMinute,
        // Until the last outage is over, however long recovering takes.
        forMs: maxMs,
        signal: ending.signal,
      }),
    ]);
    await wait(pauseMs);
    const recoveries: Recovery[] = [];
    for (const outage of planned) recoveries.push(await runOutage(setup, outage));
    ending.abort();
    const [simulated, , made] = await load;

    say(`${simulated.length} requests; waiting until no work is left.`);
    const { unfinished, account } = await waitUntilQuiet(setup, made.size);

    const writes = watched.stop();
    const last = await checkChaos(setup, simulated, writesByUser(writes));
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const ended = replicas.filter((replica) => !replica.isRunning());
    const unanswered = commands.filter(({ result }) => result === 'unanswered');
    const tokens = checkTokens(testBed.slack);
    const violations = [
      ...tokens.violations,
      ...ended.map(({ name }) => `${name} ended by itself`),
      ...unfinished,
      ...breaks,
      ...last.violations,
      ...last.orphanCopies,
      ...faultsOf(made, account),
      ...unanswered.map(
        ({ text, sentAt }) => `no answer to ${text} of ${phaseAt(recoveries, sentAt)}`,
      ),
    ];
    return {
      bench: 'chaos outages',
      seed,
      socket,
      embedded,
      replicas: replicas.length || 1,
      outages: recoveries.map(({ name, recoveredMs }) => ({ name, recoveredMs })),
      requests: simulated.length,
      ended: countBy(last.approvals, ({ state }) => state),
      writes: writes.size,
      repeatsWithoutEffect: last.repeats,
      commands: countBy(commands, ({ result }) => result),
      alerts: made.size,
      own: account.own.size,
      counted: account.counted,
      ...tokens.figures,
      log,
      aims: recoveries.flatMap(recoveryAims),
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten(violations),
    };
  } finally {
    await stop();
  }
}

async function runOutage(setup: OutagesSetup, outage: Outage): Promise<Recovery> {
  const beganAt = Date.now();
  const end = await outage.begin(setup);
  await wait(outage.lastsMs);
  await end();
  const recovery = await measureRecovery(setup, { name: outage.name, beganAt });
  say(`${outage.name}: ${JSON.stringify(recovery.recoveredMs)}`);
  await wait(pauseMs);
  return recovery;
}

/** The outage during which, or after which, something happened. */
function phaseAt(recoveries: Recovery[], at: number): string {
  const last = recoveries.findLast(({ beganAt }) => beganAt <= at);
  if (!last) return 'the time before any outage';
  return at < last.endedAt ? `the time when ${last.name}` : `the time after ${last.name}`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
