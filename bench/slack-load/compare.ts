import type { FigureTable } from '../report/figure-table.ts';
import { median, percentile, round } from '../statistics.ts';
import type { LoadResult } from './messages.ts';

/** Milliseconds, commands per second, and milliseconds of processor time per command. */
const figures = {
  ackP50: ({ ackMs }: Round) => percentile(ackMs, 0.5),
  ackP99: ({ ackMs }: Round) => percentile(ackMs, 0.99),
  answerP50: ({ answerMs }: Round) => percentile(answerMs, 0.5),
  answerP99: ({ answerMs }: Round) => percentile(answerMs, 0.99),
  perSecond: ({ perSecond }: Round) => perSecond,
  cpuMs: ({ cpuMs, ackMs }: Round) => cpuMs / ackMs.length,
};
type Figure = keyof typeof figures;

type Contender = {
  name: string;
  run: () => Promise<LoadResult>;
  /** Milliseconds of processor time that its process has used. */
  usedMs: () => number;
};

type Round = LoadResult & { cpuMs: number };

/**
 * Runs two contenders in turns, each first in every second round, so that both run under the same other
 * load of the machine. `ratio` is the median of the rounds' ratios of the first one's figure to the
 * other's.
 */
export async function compareRounds(
  [first, second]: readonly [Contender, Contender],
  rounds: number,
): Promise<{ tables: FigureTable[]; ratio: (figure: Figure) => number }> {
  const ofFirst: Round[] = [];
  const ofSecond: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 1) ofSecond.push(await runTimed(second));
    ofFirst.push(await runTimed(first));
    if (round % 2 === 0) ofSecond.push(await runTimed(second));
  }
  const figureOf = (figure: Figure, result: Round | undefined) =>
    (result && figures[figure](result)) ?? Number.NaN;
  const row = (name: string, results: Round[]) => {
    const of = (figure: Figure) => median(results.map((result) => figureOf(figure, result)));
    const times = (['ackP50', 'ackP99', 'answerP50', 'answerP99'] as const).map(of);
    return [
      name,
      ...times.map((ms) => round(ms, 1)),
      round(of('perSecond'), 0),
      round(of('cpuMs'), 2),
    ];
  };
  const times = ['Acknowledged, p50', 'p99', 'Answered, p50', 'p99'].map((name) => `${name} (ms)`);
  return {
    tables: [
      {
        columns: ['', ...times, 'Commands per second', 'Processor time per command (ms)'],
        rows: [row(first.name, ofFirst), row(second.name, ofSecond)],
      },
    ],
    ratio: (figure) =>
      round(
        median(
          ofFirst.map((one, index) => figureOf(figure, one) / figureOf(figure, ofSecond[index])),
        ),
        2,
      ),
  };
}

async function runTimed({ run, usedMs }: Contender): Promise<Round> {
  const before = usedMs();
  const result = await run();
  return { ...result, cpuMs: usedMs() - before };
}
