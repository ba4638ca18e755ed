import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { defaultLimits, openPool, postgresConnection } from '../../src/database/postgres-pool.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { type Aim, atMost } from '../aims.ts';
import { amount, count, readOptions } from '../read-options.ts';
import { median, round } from '../statistics.ts';
import { install } from './install.ts';
import { peopleFor, sendMany } from './send-many.ts';
import { type StartedBelay, startBelay } from './start-belay.ts';

const stores = ['postgres', 'embedded'] as const;
type Store = (typeof stores)[number];
const labels = { postgres: 'PostgreSQL', embedded: 'PGlite' };

/** Milliseconds until Belay is ready, and megabytes when idle. */
const targets = {
  postgres: { firstReadyMs: 1000, laterReadyMs: 1000, restMb: 120 },
  embedded: { firstReadyMs: 4000, laterReadyMs: 1500, restMb: 200 },
};
/** During the second half of the commands, in megabytes. */
const maxGrowthMb = 30;
/** Long enough for background compilation of the embedded database to finish. */
const restMs = amount(15_000, 1000);
const maxInstalls = 3;

type Round = Record<
  | `${'first' | 'later'}${'ReadyMs' | 'CpuMs'}`
  | 'restMb'
  /** What an idle process does in a minute, and has open; none on the embedded database. */
  | 'restTransactions'
  | 'restConnections',
  number
>;

/**
 * Starts Belay on an empty database, with nothing compiled, and a second time, on PostgreSQL and on the
 * embedded database in turn. Then one process on each answers 10,000 commands.
 */
export async function benchStart() {
  const { rounds, commands } = readOptions({
    rounds: count(1).default(amount(7, 1)),
    commands: count(100).default(amount(10_000, 200)),
  });
  if (!postgresUrl) {
    throw new Error('needs PostgreSQL: sh scripts/with-postgres.sh npm run -s bench -- start');
  }
  const backends = await openBackends(commands, postgresUrl);
  try {
    const bareMs: number[] = [];
    const measured: Record<Store, Round[]> = { postgres: [], embedded: [] };
    for (let round = 0; round < rounds; round += 1) {
      bareMs.push(await measureNodeStart());
      for (const store of stores) measured[store].push(await measureStarts(backends, store));
    }
    const afterCommands = {
      postgres: await measureCommands(backends, 'postgres'),
      embedded: await measureCommands(backends, 'embedded'),
    };
    const installs = [];
    for (let round = 0; round < Math.min(rounds, maxInstalls); round += 1) {
      installs.push(await install());
    }
    const results = stores.map((store) => {
      const own = { ...mediansOf(measured[store]), ...afterCommands[store] };
      process.stdout.write(`${store}: ${JSON.stringify(own)}\n`);
      return [store, own] as const;
    });
    return {
      bench: 'start',
      rounds,
      commands,
      millisecondsToStartNode: round(median(bareMs), 1),
      aims: results.flatMap(([store, own]) => aimsOf(store, own)),
      tables: [tableOf(results)],
      ...Object.fromEntries(results),
      secondsToInstall: round(median(installs.map(({ seconds }) => seconds)), 1),
      installedMegabytes: round(median(installs.map(({ megabytes }) => megabytes)), 1),
    };
  } finally {
    await backends.close();
  }
}

type Backends = Awaited<ReturnType<typeof openBackends>>;

async function openBackends(commands: number, server: string) {
  const workspace = createWorkspace();
  const people = peopleFor(commands, workspace.teamId);
  const slack = await startLocalSlack({
    workspace: { ...workspace, people: [...workspace.people, ...people] },
  });
  const env = {
    SLACK_BOT_TOKEN: workspace.app.botToken,
    SLACK_SIGNING_SECRET: workspace.app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
  return { slack, people, env, server, close: () => slack.close() };
}

/** Runs `use` with the environment of a process on a new database, with an empty cache of compiled code. */
async function onNewDatabase<T>(
  { env, server }: Backends,
  store: Store,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'belay-start-'));
  const created = store === 'postgres' ? await createDatabase(server) : undefined;
  try {
    return await use({
      ...env,
      DATABASE_URL: created?.url ?? `pglite:${join(folder, 'data')}`,
      BELAY_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    });
  } finally {
    await created?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

function measureStarts(backends: Backends, store: Store): Promise<Round> {
  return onNewDatabase(backends, store, async (env) => {
    const first = await startBelay(env);
    await first.stop();
    const later = await startBelay(env);
    const database = store === 'postgres' ? new URL(env.DATABASE_URL ?? '') : undefined;
    const before = database && (await readActivity(backends.server, database));
    await wait(restMs);
    const after = database && (await readActivity(backends.server, database));
    const restMb = later.residentMb();
    await later.stop();
    const transactions = (after?.transactions ?? 0) - (before?.transactions ?? 0);
    const { readyMs: firstReadyMs, cpuMs: firstCpuMs } = first;
    return {
      firstReadyMs,
      firstCpuMs,
      laterReadyMs: later.readyMs,
      laterCpuMs: later.cpuMs,
      restMb,
      restTransactions: (transactions * 60_000) / restMs,
      restConnections: after?.connections ?? 0,
    };
  });
}

const activity = z.array(z.object({ transactions: z.int(), connections: z.int() })).length(1);

/** The transactions of a database so far, and the connections to it. */
async function readActivity(server: string, { pathname }: URL) {
  const db = openPool(postgresConnection(server, defaultLimits), 1);
  try {
    const { rows } = await sql`
      select (xact_commit + xact_rollback)::integer as transactions, numbackends as connections
      from pg_stat_database where datname = ${pathname.slice(1)}`.execute(db);
    const [found] = activity.parse(rows);
    return found;
  } finally {
    await db.destroy();
  }
}

/** The memory of one process after half of the commands and after all of them. */
function measureCommands(backends: Backends, store: Store) {
  const { slack, people } = backends;
  const half = Math.ceil(people.length / 2);
  return onNewDatabase(backends, store, async (env) => {
    const belay: StartedBelay = await startBelay(env);
    slack.connectApp(belay.requestUrl);
    const startedAt = performance.now();
    await sendMany(slack, people.slice(0, half));
    const halfwayMb = Math.round(belay.residentMb());
    await sendMany(slack, people.slice(half));
    const commandsSeconds = round((performance.now() - startedAt) / 1000, 1);
    const afterCommandsMb = Math.round(belay.residentMb());
    await belay.stop();
    return { halfwayMb, afterCommandsMb, commandsSeconds };
  });
}

/** How long this machine currently takes to start Node alone. */
async function measureNodeStart(): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, ['--eval', '0']);
  return performance.now() - startedAt;
}

function mediansOf(rounds: Round[]): Round {
  const of = (name: keyof Round) => round(median(rounds.map((one) => one[name])), 1);
  return {
    firstReadyMs: of('firstReadyMs'),
    firstCpuMs: of('firstCpuMs'),
    laterReadyMs: of('laterReadyMs'),
    laterCpuMs: of('laterCpuMs'),
    restMb: of('restMb'),
    restTransactions: of('restTransactions'),
    restConnections: of('restConnections'),
  };
}

type Result = Round & { halfwayMb: number; afterCommandsMb: number };

function aimsOf(store: Store, result: Result): Aim[] {
  const { firstReadyMs, laterReadyMs, restMb } = targets[store];
  const on = labels[store];
  const growthMb = result.afterCommandsMb - result.halfwayMb;
  return [
    atMost(`Ready after the first start, ${on}`, result.firstReadyMs, firstReadyMs, 'ms'),
    atMost(`Ready after a later start, ${on}`, result.laterReadyMs, laterReadyMs, 'ms'),
    atMost(`Memory when idle, ${on}`, result.restMb, restMb, 'MB'),
    atMost(`Growth in the second half of the commands, ${on}`, growthMb, maxGrowthMb, 'MB'),
  ];
}

function tableOf(results: readonly (readonly [Store, Result])[]) {
  const rows = (
    [
      ['Ready after the first start (ms)', 'firstReadyMs'],
      ['Processor time of the first start (ms)', 'firstCpuMs'],
      ['Ready after a later start (ms)', 'laterReadyMs'],
      ['Processor time of a later start (ms)', 'laterCpuMs'],
      ['Memory when idle (MB)', 'restMb'],
      ['Transactions per minute when idle', 'restTransactions'],
      ['Connections when idle', 'restConnections'],
      ['Memory after half of the commands (MB)', 'halfwayMb'],
      ['Memory after all commands (MB)', 'afterCommandsMb'],
    ] as const
  ).map(([label, name]) => [label, ...results.map(([, own]) => own[name])]);
  return { columns: ['', ...results.map(([store]) => labels[store])], rows };
}
