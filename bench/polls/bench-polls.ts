import { postgresUrl } from '../../scripts/postgres-url.ts';
import { atLeast } from '../aims.ts';
import { amount, count, readOptions } from '../read-options.ts';
import type { FigureTable } from '../report/figure-table.ts';
import { median, round } from '../statistics.ts';
import { type Cost, costOf, measureIdle } from '../workspaces/costs.ts';
import { measureUsage } from '../workspaces/measure-usage.ts';
import { type ManyWorkspaces, openWorkspaces } from '../workspaces/open-workspaces.ts';
import { type Run, rateAfter, runDigests, runPolls } from '../workspaces/run-due.ts';

/** How much faster two replicas are than one when the work waits for the network. */
const minSpeedup = 1.8;
/** Longer than a replica waits before it looks for work again: 5 s for polls and 10 s for digests. */
const settleMs = { polls: amount(5500, 0), digests: amount(10_500, 0) };
/** So slow that the processors of this machine are not the limit. */
const delayMs = { polls: 150, digests: 50 };
const idleSeconds = amount(20, 2);
const giveUpMs = 600_000;

type Kind = 'polls' | 'digests';
type Sample = { perSecond: number; cost: Cost };

/** Polls and digests of many workspaces that are due at once, with one replica and with two. */
export async function benchPolls() {
  const { rounds, workspaces, ...options } = readOptions({
    rounds: count(1).default(amount(7, 1)),
    workspaces: count(1).default(amount(1000, 60)),
    digests: count(1).default(amount(200, 30)),
  });
  const digests = Math.min(workspaces, options.digests);
  if (!postgresUrl) {
    throw new Error('needs PostgreSQL: sh scripts/with-postgres.sh npm run -s bench -- polls');
  }
  const many = await openWorkspaces(postgresUrl, workspaces);
  try {
    await many.scaleTo(1);
    // Compilation and connections.
    await measure(many, 'polls', { count: workspaces, idle: none });
    await measure(many, 'digests', { count: Math.min(20, digests), idle: none });
    const idle = await measureIdle(many, idleSeconds);
    const samples: Record<Kind, Sample[][]> = { polls: [[], []], digests: [[], []] };
    for (let round = 0; round < rounds; round += 1) {
      for (const replicas of [1, 2]) {
        await many.scaleTo(replicas);
        for (const kind of ['polls', 'digests'] as const) {
          const count = kind === 'polls' ? workspaces : digests;
          const sample = await measure(many, kind, { count, idle });
          samples[kind][replicas - 1]?.push(sample);
          print(`${kind}, ${replicas} replicas: ${JSON.stringify(roundAll(sample))}`);
        }
      }
    }
    const results = { polls: summarize(samples.polls), digests: summarize(samples.digests) };
    return {
      bench: 'polls',
      rounds,
      workspaces,
      digestsAtOnce: digests,
      aims: [
        atLeast(
          'Polls per second, 2 replicas compared with 1',
          results.polls.speedup,
          minSpeedup,
          '×',
        ),
        atLeast(
          'Digests per second, 2 replicas compared with 1',
          results.digests.speedup,
          minSpeedup,
          '×',
        ),
      ],
      idleReplicaPerSecond: roundAll(idle),
      tables: [tableOf(results)],
      ...results,
    };
  } finally {
    await many.stop();
  }
}

const none: Cost = { statements: 0, belayMs: 0, postgresMs: 0 };

async function measure(
  many: ManyWorkspaces,
  kind: Kind,
  { count, idle }: { count: number; idle: Cost },
): Promise<Sample> {
  many.service.setFault({ kind: 'slow', delayMs: delayMs[kind] });
  const { usage, result } = await measureUsage(many, (): Promise<Run> => {
    return kind === 'polls'
      ? runPolls(many, { forMs: giveUpMs })
      : runDigests(many, { count, forMs: giveUpMs });
  });
  return {
    perSecond: hasEnough(result, settleMs[kind]) ? rateAfter(result, settleMs[kind]) : Number.NaN,
    cost: costOf(usage, { idle, replicas: many.replicas.length, count: result.done }),
  };
}

/** The rate of the few that are left after `settledMs` of a short run would mean nothing. */
function hasEnough({ seconds }: Run, settledMs: number): boolean {
  return seconds * 1000 >= 1.5 * settledMs;
}

/** Medians, and what 1,000 workspaces cost: a poll or a digest of each. */
function summarize([one = [], two = []]: Sample[][]) {
  const all = [...one, ...two];
  const per1000 = (of: (cost: Cost) => number) =>
    round(1000 * median(all.map((s) => of(s.cost))), 2);
  return {
    perSecond: round(median(one.map((sample) => sample.perSecond)), 2),
    perSecondOfTwo: round(median(two.map((sample) => sample.perSecond)), 2),
    // From consecutive runs, so that other load on the machine affects both.
    speedup: round(
      median(one.map(({ perSecond }, index) => (two[index]?.perSecond ?? NaN) / perSecond)),
      2,
    ),
    per1000Workspaces: {
      statements: per1000(({ statements }) => statements),
      belaySeconds: round(per1000(({ belayMs }) => belayMs) / 1000, 2),
      postgresSeconds: round(per1000(({ postgresMs }) => postgresMs) / 1000, 2),
    },
  };
}

type Summary = ReturnType<typeof summarize>;

function tableOf(results: Record<Kind, Summary>): FigureTable {
  const row = (name: string, { perSecond, perSecondOfTwo, per1000Workspaces }: Summary) => [
    ...[name, shown(perSecond), shown(perSecondOfTwo), per1000Workspaces.statements],
    ...[per1000Workspaces.belaySeconds, per1000Workspaces.postgresSeconds],
  ];
  return {
    columns: [
      '',
      'Per second, 1 replica',
      '2 replicas',
      'Statements for 1,000 workspaces',
      "Belay's processor time (s)",
      "PostgreSQL's (s)",
    ],
    rows: [row('Polls', results.polls), row('Digests', results.digests)],
  };
}

/** A run that was too short has no rate. */
function shown(perSecond: number): number | string {
  return Number.isNaN(perSecond) ? '–' : perSecond;
}

function roundAll(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) => (typeof one === 'number' ? round(one, 2) : one)),
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
