import { setTimeout as wait } from 'node:timers/promises';
import { amount } from '../read-options.ts';
import { measureUsage, type Usage } from './measure-usage.ts';
import type { ManyWorkspaces } from './open-workspaces.ts';
import { type Run, rateAfter } from './run-due.ts';

/** What one poll, digest, command … costs. */
export type Cost = {
  /** BEGIN and COMMIT included. */
  statements: number;
  /** Processor time of Belay. */
  belayMs: number;
  /** Processor time of PostgreSQL. */
  postgresMs: number;
};

/** The use of one replica in a second in which nothing is due. */
export async function measureIdle(many: ManyWorkspaces, seconds: number): Promise<Cost> {
  const { usage } = await measureUsage(many, () => wait(seconds * 1000));
  return divide(usage, usage.seconds * many.replicas.length);
}

/** The share of each of `count` pieces of work in what was used, without what replicas use when idle. */
export function costOf(
  usage: Usage,
  { idle, replicas, count }: { idle: Cost; replicas: number; count: number },
): Cost {
  const idleSeconds = usage.seconds * replicas;
  return divide(
    {
      statements: usage.statements - idle.statements * idleSeconds,
      replicaMs: usage.replicaMs - idle.belayMs * idleSeconds,
      postgresMs: usage.postgresMs - idle.postgresMs * idleSeconds,
    },
    count,
  );
}

function divide(usage: Omit<Usage, 'seconds'>, by: number): Cost {
  return {
    statements: usage.statements / by,
    belayMs: usage.replicaMs / by,
    postgresMs: usage.postgresMs / by,
  };
}

/** Requests to the service for one, and how much longer each takes than the service's delay. */
export type RequestCost = { requests: number; overheadMs: number };

/** A replica opens its connections, to the service and to PostgreSQL, in this time. */
const settleMs = amount(1500, 0);

/**
 * From a run in which always as many as possible ran at once: requests, or what sends them, which then
 * takes `otherMs` longer than its requests.
 */
export function requestCostOf(
  run: Run,
  { delayMs, atOnce, otherMs = 0 }: { delayMs: number; atOnce: number; otherMs?: number },
): RequestCost {
  const requests = run.requests / run.done;
  const msEach = ((atOnce * 1000) / rateAfter(run, settleMs) - otherMs) / requests;
  return { requests, overheadMs: Math.max(0, msEach - delayMs) };
}
