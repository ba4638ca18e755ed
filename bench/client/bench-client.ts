import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { atMost } from '../aims.ts';
import { median } from '../statistics.ts';
import { requestsPerSecond } from './contenders.ts';
import { pageSize } from './user-pages.ts';

const names = ['belay', 'undici', 'fetch', 'axios', 'got'] as const;
type Name = (typeof names)[number];

/** The highest ratio of Belay's time to the contender's. */
const limits: Partial<Record<Name, number>> = { undici: 1, axios: 0.6, got: 0.6 };

/** For the memory that a tenth of the users takes. */
const maxSmallRounds = 3;

const runSchema = z.object({ userCount: z.number(), ms: z.number(), peakMb: z.number() });
type Run = z.infer<typeof runSchema>;

/**
 * Lists the same users with Belay's client and with handwritten loops on other HTTP clients. They
 * alternate, so that other load on the machine affects all of them.
 */
export async function benchClient() {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      rounds: { type: 'string', default: '7' },
      users: { type: 'string', default: '100000' },
    },
  });
  const rounds = z.coerce.number().int().min(1).parse(values.rounds);
  const userCount = z.coerce.number().int().min(10).parse(values.users);
  const smallCount = Math.ceil(userCount / 10);
  print(`${userCount} users, ${pageSize} a page, ${rounds} rounds, each in a process of its own.`);
  print(
    `Belay's limiter is raised to ${requestsPerSecond} requests a second, so that it never waits.`,
  );
  print('Belay asks for up to three pages at a time, as it always does; the others for one.');
  const many = await measure(userCount, rounds);
  const small = await measure(smallCount, Math.min(rounds, maxSmallRounds));

  const belay = summary(many, 'belay');
  const others = names.map((name) => {
    const { ms, peakMb } = summary(many, name);
    const smallPeakMb = summary(small, name).peakMb;
    print(
      `${name.padEnd(7)} ${ms.toFixed(0).padStart(6)} ms, peak ${peakMb.toFixed(0)} MB (${smallPeakMb.toFixed(0)} MB for ${smallCount} users)`,
    );
    const time = rounded(pairedRatio(many, name));
    const memory = rounded(belay.peakMb / peakMb);
    return [name, { ms: Math.round(ms), peakMb: Math.round(peakMb), time, memory }] as const;
  });
  const peakMbOfFew = Math.round(summary(small, 'belay').peakMb);
  return {
    ...{ bench: 'client', users: userCount, pageSize, rounds, requestsPerSecond },
    aims: others.flatMap(([name, { time }]) => {
      const limit = limits[name];
      return limit === undefined
        ? []
        : [atMost(`Time to list users, compared with ${name}`, time, limit, '×')];
    }),
    tables: [
      {
        columns: ['', 'Time (ms)', 'Peak memory (MB)', "Belay's time (×)", "Belay's memory (×)"],
        rows: others.map(([name, { ms, peakMb, time, memory }]) => [
          name,
          ms,
          peakMb,
          time,
          memory,
        ]),
      },
      {
        columns: ['Users', "Belay's peak memory (MB)"],
        rows: [
          [smallCount, peakMbOfFew],
          [userCount, Math.round(belay.peakMb)],
        ],
      },
    ],
    contenders: Object.fromEntries(others),
    belayPeakMb: { [smallCount]: peakMbOfFew, [userCount]: Math.round(belay.peakMb) },
  };
}

type Runs = Map<Name, Run[]>;

async function measure(users: number, count: number): Promise<Runs> {
  const service = start('users-service.ts', [String(users)]);
  const port = z.number().parse(await nextMessage(service));
  const runs: Runs = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < count; round += 1) {
    for (const name of names) {
      const child = start('run-contender.ts', [name, `http://127.0.0.1:${port}`]);
      const exited = once(child, 'exit');
      const run = runSchema.parse(await nextMessage(child));
      if (run.userCount !== users)
        throw new Error(`${name} read ${run.userCount} of ${users} users`);
      runs.get(name)?.push(run);
      await exited;
    }
  }
  service.disconnect();
  return runs;
}

function start(file: string, args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args);
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('a child process ended without a result')));
  const [message] = await once(child, 'message', { signal: ended.signal });
  return message;
}

function summary(runs: Runs, name: Name): Pick<Run, 'ms' | 'peakMb'> {
  const own = runs.get(name) ?? [];
  return { ms: median(own.map(({ ms }) => ms)), peakMb: median(own.map((run) => run.peakMb)) };
}

/**
 * The ratio of Belay's time to the other's per round, because both ran under the same load.
 */
function pairedRatio(runs: Runs, name: Name): number {
  const others = runs.get(name) ?? [];
  const ratios = (runs.get('belay') ?? []).map(({ ms }, round) => ms / (others[round]?.ms ?? ms));
  return median(ratios);
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
