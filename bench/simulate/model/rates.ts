import type { MeasuredCosts } from '../measured-costs.ts';
import { type BelayLimits, belayLimits } from './belay-limits.ts';

/** What Belay runs with: the service, Slack and the database server. */
export type Environment = {
  /** Of the service, for each request. Milliseconds. */
  delayMs: { poll: number; digest: number };
  /** The part of the workspaces whose connection is in the largest region. */
  regionShare: number;
  /** Slack's, for a message. Milliseconds. */
  slackMs: number;
  databaseCores: number;
};

/** How many polls and digests one replica could do in a second if it had nothing else to do. */
export function fullRates(
  costs: Pick<MeasuredCosts, 'poll' | 'digest'>,
  { delayMs, regionShare, slackMs }: Environment,
  limits: BelayLimits = belayLimits,
) {
  const rate = (kind: 'poll' | 'digest') => {
    const { requests, overheadMs, belayMs, postgresMs } = costs[kind];
    const requestSeconds = (delayMs[kind] + overheadMs) / 1000;
    const heldSeconds = requests * requestSeconds + (belayMs + postgresMs) / 1000;
    const byConnections = limits.serviceConnections / (requests * requestSeconds * regionShare);
    // A digest sends several requests at once, so its connections are in use before its workers are.
    const byWorkers =
      kind === 'poll' ? limits.concurrentPolls / heldSeconds : Number.POSITIVE_INFINITY;
    const byProcessor = 1000 / belayMs;
    return Math.min(byConnections, byWorkers, byProcessor);
  };
  const byTicks = limits.concurrentPosts / limits.deliveryTick;
  return {
    polls: rate('poll'),
    digests: rate('digest'),
    posts: Math.min(byTicks, (limits.concurrentPosts * 1000) / slackMs),
  };
}
