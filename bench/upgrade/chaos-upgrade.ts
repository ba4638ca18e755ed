import { readSchemaStatus } from '../../src/database/migrate.ts';
import { version } from '../../src/version.ts';
import { checkChaos } from '../chaos/check-chaos.ts';
import { killRunning } from '../chaos/kill-running.ts';
import { simulateRequests } from '../chaos/simulate-request.ts';
import { type SentCommand, sendCommands } from '../outages/send-commands.ts';
import { waitUntilQuiet, watchAlerts } from '../outages/watched-alerts.ts';
import { watchWrites, writesByUser } from '../replicas/check-effect.ts';
import { verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { countBy, shorten, spread } from '../statistics.ts';
import { type Account, faultsOf } from '../storm/count-alerts.ts';
import { makeAlerts } from '../storm/make-alerts.ts';
import { openUpgrade, type UpgradeSetup } from './open-upgrade.ts';
import { roll } from './roll.ts';
import { newerMigration, newerVersion } from './versions.ts';

type Options = Parameters<typeof openUpgrade>[0] & { minutes: number };

const alertsPerMinute = 20;
const maxMs = 60 * 60_000;
const killEveryMs = 6000;
/** Between a kill and the note of it. */
const marginMs = 2000;

/**
 * Upgrades and downgrades three replicas again and again under load, while they are killed as well, and
 * checks that nothing is lost, done twice or left unanswered.
 */
export async function chaosUpgrade({ minutes, ...options }: Options) {
  const begun = performance.now();
  const { seed } = options;
  const { setup, stop } = await openUpgrade(options);
  try {
    const { testBed, db, fleet, versions } = setup;
    say(
      `seed ${seed}: ${minutes} min from ${version} (${versions.commit.slice(0, 8)}) to ${newerVersion}.`,
    );
    await watchAlerts(setup);

    const ending = new AbortController();
    const commands: SentCommand[] = [];
    const ended = watchEnded(setup);
    const watched = watchWrites(testBed.service);
    const load = Promise.all([
      simulateRequests(setup, ending.signal),
      sendCommands({ ...setup, server: undefined }, ending.signal, commands),
      makeAlerts(testBed.service, {
        portalId: testBed.portal.id,
        perMinute: alertsPerMinute,
        forMs: maxMs,
        signal: ending.signal,
      }),
    ]);
    const forMs = minutes * 60_000;
    const kills = { url: setup.url, kills: Number.POSITIVE_INFINITY, forMs, everyMs: killEveryMs };
    const [{ kills: killedToMove, violations: notMoved, ...rolled }, killed] = await Promise.all([
      roll(setup, forMs),
      killRunning(setup, kills),
    ]);
    ending.abort();
    const [simulated, , made] = await load;

    say(`${simulated.length} requests; waiting until no work is left.`);
    const { unfinished, account } = await waitUntilQuiet(setup, made.size);

    const writes = watched.stop();
    const last = await checkChaos(setup, simulated, writesByUser(writes));
    const { log, violations: breaks } = await verifyLog(db, testBed);
    const tokens = checkTokens(testBed.slack);
    const allKills = [...killed, ...killedToMove];
    const alerts = checkAlerts(made, account, allKills.length);
    const { newer, oldest } = await readSchemaStatus(db);
    const violations = [
      ...tokens.violations,
      ...ended.stop(),
      ...fleet.failures,
      ...notMoved,
      ...unfinished,
      ...breaks,
      ...last.violations,
      ...last.orphanCopies,
      ...alerts.violations,
      ...commands.flatMap((command) => checkCommand(command, allKills)),
      ...(newer.join() === newerMigration ? [] : [`migrations of the newer version: ${newer}`]),
      ...(rolled.seenTogether.some((seen) => seen.includes(' and '))
        ? []
        : ['replicas of both versions were never seen together']),
    ];
    return {
      bench: 'chaos upgrade',
      seed,
      minutes,
      from: versions.commit.slice(0, 8),
      versions: [version, newerVersion],
      oldest,
      replicas: fleet.running().length,
      ...rolled,
      kills: allKills.length,
      requests: simulated.length,
      ended: countBy(last.approvals, ({ state }) => state),
      failures: countBy(
        last.approvals.filter(({ state }) => state === 'failed'),
        ({ outcome = '' }) => outcome.replace(/ Reference.*/, ''),
      ),
      writes: writes.size,
      repeatsWithoutEffect: last.repeats,
      commands: countBy(commands, ({ result }) => result),
      alerts: made.size,
      own: account.own.size,
      counted: account.counted,
      alertsPostedTwice: alerts.postedTwice,
      startMs: spread(fleet.startedInMs),
      ...tokens.figures,
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten(violations),
    };
  } finally {
    await stop();
  }
}

/** Collects replicas that ended without being stopped or killed by this program. */
function watchEnded({ fleet }: UpgradeSetup) {
  const ended = new Set<string>();
  const timer = setInterval(() => {
    for (const replica of fleet.running()) {
      if (!replica.isRunning()) ended.add(`${replica.name} ended by itself`);
    }
  }, 500);
  return {
    stop(): string[] {
      clearInterval(timer);
      return [...ended];
    },
  };
}

/** A message that was posted, but not recorded, when its process was killed is posted again. */
function checkAlerts(made: ReadonlyMap<string, string>, account: Account, kills: number) {
  const twice = [...account.own].filter(([, times]) => times > 1);
  const once = new Map([...account.own].map(([name]) => [name, 1]));
  return {
    postedTwice: twice.length,
    violations: [
      ...faultsOf(made, { ...account, own: once }),
      ...(twice.length > kills ? [`${twice.length} alerts posted twice, ${kills} kills`] : []),
    ],
  };
}

/** A command is cut off if its replica is killed while it works on it. */
function checkCommand(
  { text, to, result, shown, sentAt, endedAt }: SentCommand,
  kills: { name: string; at: Date }[],
): string[] {
  if (result === 'answered' || to === 'none') return [];
  const isCut = kills.some(
    ({ name, at }) => name === to && +at >= sentAt - marginMs && +at <= endedAt + marginMs,
  );
  return isCut ? [] : [`${text}, sent to ${to}: ${result} ${shown ?? ''}`];
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
