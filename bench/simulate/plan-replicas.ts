import { digestMinutes, utilization } from './assumptions.ts';
import { costsAt, type MeasuredCosts } from './measured-costs.ts';
import { type BelayLimits, belayLimits } from './model/belay-limits.ts';
import { type Environment, fullRates } from './model/rates.ts';
import type { Demand } from './model/simulate.ts';

/** What workspaces need from replicas at one moment. */
export type Load = { workspaces: number; digestsAtOnce: number } & Omit<Demand, 'digests'>;

/** How many replicas each kind of work needs, with the part of their capacity that is planned for. */
export function replicasFor(
  costs: MeasuredCosts,
  environment: Environment,
  load: Load,
  limits: BelayLimits = belayLimits,
) {
  const rates = fullRates(costs, environment, limits);
  const pollsPerSecond = load.workspaces / limits.pollInterval;
  const digestsPerSecond = Math.min(rates.digests, limits.digestsPerLook / limits.digestTick);
  const digestRate = load.digestsAtOnce / (digestMinutes * 60);
  const people =
    load.commands * costs.command.belayMs +
    load.decisions * costs.decision.belayMs +
    load.alertsStored * costs.alertStored.belayMs +
    load.alertsChanged * costs.alertChanged.belayMs;
  const background = pollsPerSecond * costs.poll.belayMs + digestRate * costs.digest.belayMs;
  const perReplicaMs = 1000 * utilization - costs.idleReplicaSecond.belayMs;
  return {
    /** Polls and digests share the connections to the service. */
    connections: pollsPerSecond / (rates.polls * utilization) + digestRate / digestsPerSecond,
    processors: (people + background) / perReplicaMs,
    complianceSamples: load.workspaces / limits.sampleInterval / limits.samplesPerSecond,
  };
}

/** Processor time of PostgreSQL in a second, in cores. */
export function postgresCores(costs: MeasuredCosts, load: Load, replicas: number): number {
  const pollsPerSecond = load.workspaces / belayLimits.pollInterval;
  const digestRate = load.digestsAtOnce / (digestMinutes * 60);
  const ms =
    pollsPerSecond * costsAt(costs, load.workspaces).poll.postgresMs +
    digestRate * costs.digest.postgresMs +
    load.commands * costs.command.postgresMs +
    load.decisions * costs.decision.postgresMs +
    load.alertsStored * costs.alertStored.postgresMs +
    load.alertsChanged * costs.alertChanged.postgresMs +
    replicas * costs.idleReplicaSecond.postgresMs +
    (load.workspaces * costs.idleWorkspaceMinute.postgresMs) / 60;
  return ms / 1000;
}
