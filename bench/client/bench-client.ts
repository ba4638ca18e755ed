import { z } from 'zod';
import { atMost } from '../aims.ts';
import { startChild } from '../child.ts';
import { amount, count, readOptions } from '../read-options.ts';
import { median, round } from '../statistics.ts';
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
  const { rounds, users: userCount } = readOptions({
    rounds: count(1).default(amount(7, 1)),
    users: count(10).default(amount(100_000, 2000)),
  });
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
    const time = round(pairedRatio(many, name), 2);
    const memory = round(belay.peakMb / peakMb, 2);
    return [name, { ms: Math.round(ms), peakMb: Math.round(peakMb), time, memory }] as const;
  });
  const peakMbOfFew = Math.round(summary(small, 'belay').peakMb);
  return {
    bench: 'client',
    users: userCount,
    pageSize,
    rounds,
    requestsPerSecond,
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

const program = new URL('run-contender.ts', import.meta.url);

async function measure(users: number, rounds: number): Promise<Runs> {
  const service = startChild(new URL('users-service.ts', import.meta.url), [String(users)]);
  const port = z.number().parse(await service.next());
  const runs: Runs = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const child = startChild(program, [name, `http://127.0.0.1:${port}`]);
      const run = runSchema.parse(await child.next());
      if (run.userCount !== users)
        throw new Error(`${name} read ${run.userCount} of ${users} users`);
      runs.get(name)?.push(run);
      await child.ended;
    }
  }
  service.stop();
  return runs;
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
