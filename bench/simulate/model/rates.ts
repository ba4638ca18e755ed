import type { MeasuredCosts } from '../measured-costs.ts';
import { belayLimits } from './belay-limits.ts';

/** The surroundings of Belay. */
export type Surroundings = {
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
  { delayMs, regionShare, slackMs }: Surroundings,
) {
  const rate = (kind: 'poll' | 'digest', concurrent: number) => {
    const { requests, overheadMs, belayMs, postgresMs } = costs[kind];
    const requestSeconds = (delayMs[kind] + overheadMs) / 1000;
    // Requests of one digest run beside each other, so only those of polls add up.
    const heldSeconds = requests * requestSeconds + (belayMs + postgresMs) / 1000;
    const byConnections =
      belayLimits.serviceConnections / (requests * requestSeconds * regionShare);
    const byWorkers = kind === 'poll' ? concurrent / heldSeconds : Number.POSITIVE_INFINITY;
    const byProcessor = 1000 / belayMs;
    return Math.min(byConnections, byWorkers, byProcessor);
  };
  const byTicks = belayLimits.concurrentPosts / belayLimits.deliveryTick;
  return {
    polls: rate('poll', belayLimits.concurrentPolls),
    digests: rate('digest', belayLimits.concurrentDigests),
    posts: Math.min(byTicks, (belayLimits.concurrentPosts * 1000) / slackMs),
  };
}
