import { round } from '../statistics.ts';
import { environment } from './assumptions.ts';
import { compareChanges, growTo, type Peak } from './compare-sizes.ts';
import { chooseStorms, dayDemand } from './day-demand.ts';
import { costTable, othersTable } from './describe-costs.ts';
import { drawDay } from './draw-day.ts';
import { findLimits, peakLoad } from './find-limits.ts';
import { hourOf, hourSeconds } from './hour.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { connectionsPerProcess } from './model/belay-limits.ts';
import { simulate } from './model/simulate.ts';
import { replicasFor } from './plan-replicas.ts';
import { toTable } from './write-docs.ts';

const hours = 24;
/** The others are beyond what is simulated. */
const shownLimits = 3;

/** Simulates a day; without `replicas`, with as many as the busiest hour needs. */
export function reportDay(
  costs: MeasuredCosts,
  {
    workspaces,
    replicas: given,
    seed,
  }: { workspaces: number; replicas: number | undefined; seed: number },
) {
  const storms = chooseStorms(workspaces, seed);
  const demandAt = dayDemand(workspaces, storms);
  const needed = (hour?: number) =>
    Math.ceil(
      Math.max(...Object.values(replicasFor(costs, environment, peakLoad(workspaces, hour)))),
    );
  const replicas = given ?? needed();
  const periods = simulate({
    costs,
    workspaces,
    replicas,
    demandAt,
    environment,
    seconds: hours * hourSeconds,
    periodSeconds: hourSeconds,
    firstPolls: 'spread',
  });
  const byHour = periods.map((period, hour) => hourOf(period, hour, needed(hour)));
  const limits = findLimits(costs, { environment, replicas });
  const connections = replicas * connectionsPerProcess;
  const peak = (name: 'statementsPerSecond' | 'belayCores' | 'postgresCores') =>
    Math.max(...byHour.map((hour) => hour[name]));
  return {
    /** What docs/scale.md shows. */
    tables: {
      limits: toTable(
        ['Limit', 'Reached at (workspaces)', 'What helps'],
        limits
          .slice(0, shownLimits)
          .map(({ name, workspaces: count, remedy }) => [name, format(count), remedy]),
      ),
      others: othersTable(costs),
      growth: toTable(
        ['Workspaces', ...peakColumns],
        growTo(costs, workspaces).map((size) => [format(size.workspaces), ...cellsOf(size)]),
      ),
      changes: toTable(
        [`${format(workspaces)} workspaces`, ...peakColumns],
        compareChanges(costs, workspaces).map(({ name, peak: one }) => [name, ...cellsOf(one)]),
      ),
    },
    /** What is only printed. */
    details: {
      hours: toTable(
        [
          ...['Hour (UTC)', 'Statements/s', 'Belay, cores', 'PostgreSQL, cores'],
          ...['Processes needed', 'Poll delay, median', 'p99'],
          ...['Digests', 'Digest delay, median', 'p99'],
        ],
        byHour.map((hour) => [
          `${String(hour.hour).padStart(2, '0')}:00`,
          ...[hour.statementsPerSecond, hour.belayCores, hour.postgresCores].map(format),
          ...[hour.replicasNeeded].map(format),
          ...[hour.pollLateSeconds.p50, hour.pollLateSeconds.p99].map(seconds),
          format(hour.digests),
          ...[hour.digestLateSeconds.p50, hour.digestLateSeconds.p99].map(seconds),
        ]),
      ),
      costs: costTable(costs),
    },
    chart: drawDay(byHour, { workspaces, replicas }),
    result: {
      program: 'simulate',
      workspaces,
      replicas,
      connections,
      seed,
      peakStatementsPerSecond: round(peak('statementsPerSecond'), 1),
      peakBelayCores: round(peak('belayCores'), 1),
      peakPostgresCores: round(peak('postgresCores'), 1),
      firstLimit: limits[0],
      storms,
      hours: byHour,
    },
  };
}

const peakColumns = [
  ...['Processes', 'Statements/s', 'PostgreSQL cores per database'],
  ...['Poll delay, p99', 'Digest delay, p99'],
];

function cellsOf(one: Peak): string[] {
  return [
    ...[one.replicas, one.statementsPerSecond, one.postgresCores].map(format),
    ...[one.pollLateSeconds, one.digestLateSeconds].map(seconds),
  ];
}

function format(value: number): string {
  return value >= 10 ? Math.round(value).toLocaleString('en-US') : String(round(value, 1));
}

/** "5 s"; a dash for an hour without any. */
function seconds(value: number): string {
  return Number.isNaN(value) ? '–' : `${format(value)} s`;
}
