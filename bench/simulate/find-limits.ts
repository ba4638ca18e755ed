import { databaseConnections, serviceRequestsPerSecond, utilization } from './assumptions.ts';
import { dayDemand } from './day-demand.ts';
import { hourSeconds } from './hour.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { belayLimits, connectionsPerProcess } from './model/belay-limits.ts';
import type { Environment } from './model/rates.ts';
import { type Load, postgresCores, replicasFor } from './plan-replicas.ts';

export type Limit = { name: string; workspaces: number; remedy: string };

const hours = 24;

/** The most that an hour brings, by default any hour of the day; without storms. */
export function peakLoad(workspaces: number, hour?: number): Load {
  const demandAt = dayDemand(workspaces, []);
  const seconds = Array.from({ length: hours * 2 }, (_, half) => (half * hourSeconds) / 2);
  const demands = seconds
    .filter((second) => hour === undefined || Math.floor(second / hourSeconds) === hour)
    .map(demandAt);
  const maxOf = (name: keyof (typeof demands)[number]) =>
    Math.max(...demands.map((demand) => demand[name]));
  return {
    workspaces,
    digestsAtOnce: maxOf('digests'),
    commands: maxOf('commands'),
    decisions: maxOf('decisions'),
    posts: maxOf('posts'),
    alertsStored: maxOf('alertsStored'),
    alertsChanged: maxOf('alertsChanged'),
  };
}

/** How many workspaces may poll one organization of the service: its limit is for all of them. */
export function workspacesPerOrganization(costs: MeasuredCosts): number {
  const requests = Math.max(1, costs.poll.requests);
  return Math.floor((serviceRequestsPerSecond * belayLimits.pollInterval) / requests);
}

/** The limits with so many replicas, the lowest number of workspaces first. */
export function findLimits(
  costs: MeasuredCosts,
  { environment, replicas }: { environment: Environment; replicas: number },
): Limit[] {
  const perReplica = replicasFor(costs, environment, peakLoad(1));
  const perWorkspace = Math.max(...Object.values(perReplica));
  const { max, reserved } = databaseConnections;
  const possibleReplicas = Math.floor((max - reserved) / connectionsPerProcess);
  const cores = environment.databaseCores * utilization;
  const more = 'more processes';
  return [
    {
      name: `Polls at once, ${replicas} processes`,
      workspaces: replicas / perReplica.connections,
      remedy: more,
    },
    {
      name: `Processors of ${replicas} processes`,
      workspaces: replicas / perReplica.processors,
      remedy: more,
    },
    {
      name: `Compliance samples, ${replicas} processes`,
      workspaces: replicas / perReplica.complianceSamples,
      remedy: more,
    },
    {
      name: `\`max_connections\` = ${max} of PostgreSQL`,
      workspaces: possibleReplicas / perWorkspace,
      remedy: 'a higher value, or several databases',
    },
    {
      name: `${environment.databaseCores} cores of PostgreSQL`,
      workspaces: largest((count) => postgresCores(costs, peakLoad(count), replicas) <= cores),
      remedy: 'more cores, or several databases',
    },
  ].sort((a, b) => a.workspaces - b.workspaces);
}

/** The largest whole number for which the condition holds; it must not hold again above that. */
function largest(holds: (count: number) => boolean): number {
  let [low, high] = [0, 100_000_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
