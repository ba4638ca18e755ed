import { postgresUrl } from '../../scripts/postgres-url.ts';
import { type Aim, atMost } from '../aims.ts';
import { race } from '../race/race.ts';
import { amount, count, readOptions } from '../read-options.ts';
import type { FigureTable } from '../report/figure-table.ts';
import { median, shorten } from '../statistics.ts';

/** Milliseconds. */
const limits = { steadyDecision: 150, burstDecision: 500, burstAnswer: 3000 };

type Variant = { name: string; processes: number };

/** Medians over all rounds, in milliseconds. A steady load, and 1,000 clicks at one moment. */
type Figures = Record<
  | 'steadyDecisionP99'
  | 'steadyShownP99'
  | 'burstDecision'
  | 'burstShown'
  | 'burstAcknowledged'
  | 'burstLastReply',
  number
>;

/**
 * Time from a click until the decision is stored, shown in the channel and answered, for one process
 * and for four. The clicks and checks are those of `npm run -s race`, whose violations count here too.
 */
export async function benchDecisions() {
  const { rounds, requests: requestCount } = readOptions({
    rounds: count(1).default(amount(7, 1)),
    requests: count(1, 300).default(amount(100, 10)),
  });
  if (!postgresUrl) {
    throw new Error('needs PostgreSQL: sh scripts/with-postgres.sh npm run -s bench -- decisions');
  }
  const variants: Variant[] = [
    { name: '1 process', processes: 1 },
    { name: '4 processes', processes: 4 },
  ];
  const measured = variants.map(() => [] as Figures[]);
  const violations: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { processes }] of variants.entries()) {
      const raced = await race(postgresUrl, { processes, requestCount });
      measured[index]?.push(figuresOf(raced));
      violations.push(...raced.violations);
    }
  }
  const results = variants.map(({ name }, index) => ({
    name,
    ...mediansOf(measured[index] ?? []),
  }));
  return {
    bench: 'decisions',
    rounds,
    requests: requestCount,
    aims: results.flatMap(({ name, ...figures }) => aimsOf(name, figures)),
    tables: [tableOf(results)],
    results,
    violations: shorten(violations),
  };
}

function figuresOf({ one, many }: Awaited<ReturnType<typeof race>>): Figures {
  return {
    steadyDecisionP99: many.clickToDecisionMs.p99 ?? Number.NaN,
    steadyShownP99: many.clickToRedrawnMs.p99 ?? Number.NaN,
    burstDecision: one.clickToDecisionMs.max ?? Number.NaN,
    burstShown: one.clickToRedrawnMs.max ?? Number.NaN,
    burstAcknowledged: one.clickToAnswerMs.max ?? Number.NaN,
    burstLastReply: one.lastReplyMs,
  };
}

function mediansOf(rounds: Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]));
  return {
    steadyDecisionP99: of('steadyDecisionP99'),
    steadyShownP99: of('steadyShownP99'),
    burstDecision: of('burstDecision'),
    burstShown: of('burstShown'),
    burstAcknowledged: of('burstAcknowledged'),
    burstLastReply: of('burstLastReply'),
  };
}

function tableOf(results: ({ name: string } & Figures)[]): FigureTable {
  return {
    columns: [
      'Milliseconds',
      'Ten a second: decided, p99',
      'Shown, p99',
      '1,000 clicks: decided',
      'Shown',
      'Acknowledged',
      'Answered',
    ],
    rows: results.map((one) => [
      one.name,
      ...[one.steadyDecisionP99, one.steadyShownP99, one.burstDecision, one.burstShown],
      ...[one.burstAcknowledged, one.burstLastReply],
    ]),
  };
}

function aimsOf(variant: string, figures: Figures): Aim[] {
  const { steadyDecisionP99, burstDecision, burstAcknowledged, burstLastReply } = figures;
  const answered = Math.max(burstAcknowledged, burstLastReply);
  return [
    atMost(`Click to decision, p99, ${variant}`, steadyDecisionP99, limits.steadyDecision, 'ms'),
    atMost(`1,000 clicks to decision, ${variant}`, burstDecision, limits.burstDecision, 'ms'),
    atMost(`1,000 clicks answered, ${variant}`, answered, limits.burstAnswer, 'ms'),
  ];
}
