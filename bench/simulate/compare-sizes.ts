import { environment } from './assumptions.ts';
import { dayDemand } from './day-demand.ts';
import { peakLoad } from './find-limits.ts';
import { hourSeconds } from './hour.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { type BelayLimits, belayLimits } from './model/belay-limits.ts';
import { simulate } from './model/simulate.ts';
import { replicasFor } from './plan-replicas.ts';

/** The hour with the most digests, after a quarter of an hour that isn't counted. */
const peakHour = 14;
const warmUpSeconds = 900;

export type Peak = {
  workspaces: number;
  databases: number;
  replicas: number;
  statementsPerSecond: number;
  /** Of each database. */
  postgresCores: number;
  pollLateSeconds: number;
  digestLateSeconds: number;
};

/** The busiest hour, with as many replicas as it needs; workspaces divided among databases. */
export function simulatePeak(
  costs: MeasuredCosts,
  {
    workspaces,
    databases = 1,
    limits = belayLimits,
  }: { workspaces: number; databases?: number; limits?: BelayLimits },
): Peak {
  const each = workspaces / databases;
  const needs = replicasFor(costs, environment, peakLoad(each), limits);
  const replicas = Math.ceil(Math.max(...Object.values(needs)));
  const demandAt = dayDemand(each, []);
  const [period] = simulate({
    costs,
    workspaces: each,
    replicas,
    limits,
    environment,
    warmUpSeconds,
    seconds: warmUpSeconds + hourSeconds,
    periodSeconds: hourSeconds,
    firstPolls: 'spread',
    demandAt: (second) => demandAt(peakHour * hourSeconds - warmUpSeconds + second),
  });
  if (!period) throw new Error('the simulated time is too short');
  return {
    workspaces,
    databases,
    replicas: replicas * databases,
    statementsPerSecond: (period.statements / hourSeconds) * databases,
    postgresCores: period.postgresMs / 1000 / hourSeconds,
    pollLateSeconds: period.pollLateness.percentile(0.99),
    digestLateSeconds: period.digestLateness.percentile(0.99),
  };
}

const sizes = [300, 1000, 3000, 10_000, 30_000, 100_000, 300_000];

/** Smaller sizes up to this one, each on one database. */
export function growTo(costs: MeasuredCosts, workspaces: number): Peak[] {
  const smaller = sizes.filter((size) => size < workspaces);
  return [...smaller, workspaces].map((size) => simulatePeak(costs, { workspaces: size }));
}

/** What would change with several databases, and with other limits. */
export function compareChanges(
  costs: MeasuredCosts,
  workspaces: number,
): { name: string; peak: Peak }[] {
  const more = { ...belayLimits, concurrentPolls: 32 };
  const slower = { ...belayLimits, pollInterval: 60 };
  const databases = Math.max(2, Math.ceil(workspaces / 15_000));
  const variants = [
    { name: 'As it is', plan: {} },
    { name: '32 polls at once', plan: { limits: more } },
    { name: 'A poll every 60 s', plan: { limits: slower } },
    { name: `${databases} databases`, plan: { databases } },
    { name: `${databases} databases, 32 polls at once`, plan: { databases, limits: more } },
  ];
  return variants.map(({ name, plan }) => ({
    name,
    peak: simulatePeak(costs, { workspaces, ...plan }),
  }));
}
