import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const count = z.number().nonnegative();
const cost = z.object({
  /** BEGIN and COMMIT included. */
  statements: count,
  /** Processor time of Belay. */
  belayMs: count,
  /** Processor time of PostgreSQL. */
  postgresMs: count,
});
const withRequests = cost.extend({
  /** Requests to the service. */
  requests: count,
  /** How much longer each takes than the service's delay. */
  overheadMs: count,
});

const costsSchema = z.object({
  measuredAt: z.string(),
  machine: z.string(),
  /** How many workspaces there were. */
  workspaces: z.number(),
  poll: withRequests,
  digest: withRequests,
  /** Of a list of alerts, until the person sees it. */
  command: cost,
  /** From the command with the form until the approved change is made. */
  decision: cost,
  /** Until it is posted, or counted in a summary. */
  alertStored: cost,
  /** Raised again, until its message is edited or the summary updated. */
  alertChanged: cost,
  /** A workspace in which nothing is due, for a minute. */
  idleWorkspaceMinute: cost,
  /** A replica with nothing to do, for a second. */
  idleReplicaSecond: cost,
  /** How much more processor time of PostgreSQL a poll takes with 1,000 more workspaces. */
  pollPostgresMsPer1000: count,
});

export type MeasuredCosts = z.infer<typeof costsSchema>;

/** The costs with so many workspaces: PostgreSQL needs more for a poll with more of them. */
export function costsAt(costs: MeasuredCosts, workspaces: number): MeasuredCosts {
  const more = ((workspaces - costs.workspaces) / 1000) * costs.pollPostgresMsPer1000;
  const { poll } = costs;
  return { ...costs, poll: { ...poll, postgresMs: Math.max(0, poll.postgresMs + more) } };
}

const file = fileURLToPath(new URL('../../docs/measured-costs.json', import.meta.url));

export function readCosts(): MeasuredCosts {
  return costsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export function writeCosts(costs: MeasuredCosts): void {
  writeFileSync(file, `${JSON.stringify(costs, undefined, 2)}\n`);
}
