import type { FigureTable } from '../report/figure-table.ts';
import { median, percentile } from '../statistics.ts';
import type { LoadResult } from './messages.ts';

/** Milliseconds, and commands per second. */
const figures = {
  ackP50: ({ ackMs }: LoadResult) => percentile(ackMs, 0.5),
  ackP99: ({ ackMs }: LoadResult) => percentile(ackMs, 0.99),
  answerP50: ({ answerMs }: LoadResult) => percentile(answerMs, 0.5),
  answerP99: ({ answerMs }: LoadResult) => percentile(answerMs, 0.99),
  perSecond: ({ perSecond }: LoadResult) => perSecond,
};
type Figure = keyof typeof figures;

type Contender = { name: string; run: () => Promise<LoadResult> };

/**
 * Runs two contenders in turns, each first in every second round, so that both run under the same other
 * load of the machine. `ratio` is the median of the rounds' ratios of the first one's figure to the
 * other's.
 */
export async function compareRounds(
  [first, second]: readonly [Contender, Contender],
  rounds: number,
): Promise<{ tables: FigureTable[]; ratio: (figure: Figure) => number }> {
  const ofFirst: LoadResult[] = [];
  const ofSecond: LoadResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 1) ofSecond.push(await second.run());
    ofFirst.push(await first.run());
    if (round % 2 === 0) ofSecond.push(await second.run());
  }
  const figureOf = (figure: Figure, result: LoadResult | undefined) =>
    (result && figures[figure](result)) ?? Number.NaN;
  const row = (name: string, results: LoadResult[]) => {
    const of = (figure: Figure) => median(results.map((result) => figureOf(figure, result)));
    const times = (['ackP50', 'ackP99', 'answerP50', 'answerP99'] as const).map(of);
    return [name, ...times.map((ms) => round(ms, 1)), round(of('perSecond'), 0)];
  };
  const times = ['Acknowledged, p50', 'p99', 'Answered, p50', 'p99'].map((name) => `${name} (ms)`);
  return {
    tables: [
      {
        columns: ['', ...times, 'Commands per second'],
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

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
