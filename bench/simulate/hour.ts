import { round } from '../statistics.ts';
import type { Period } from './model/simulate.ts';

export const hourSeconds = 3600;

/** An hour of a simulated day, in UTC. */
export type Hour = {
  hour: number;
  statementsPerSecond: number;
  belayCores: number;
  postgresCores: number;
  replicasNeeded: number;
  pollLateSeconds: { p50: number; p99: number };
  digests: number;
  digestLateSeconds: { p50: number; p99: number };
};

/** Averages and percentiles of the hour. */
export function hourOf(period: Period, hour: number, replicasNeeded: number): Hour {
  const { pollLateness, digestLateness } = period;
  // Rounding errors can leave a tiny part of a digest for a later hour.
  const hasDigests = period.digests >= 0.5;
  const digestsLate = (share: number) =>
    hasDigests ? digestLateness.percentile(share) : Number.NaN;
  return {
    hour,
    replicasNeeded,
    digests: Math.round(period.digests),
    statementsPerSecond: round(period.statements / hourSeconds, 1),
    belayCores: round(period.belayMs / 1000 / hourSeconds, 1),
    postgresCores: round(period.postgresMs / 1000 / hourSeconds, 1),
    pollLateSeconds: { p50: pollLateness.percentile(0.5), p99: pollLateness.percentile(0.99) },
    digestLateSeconds: {
      p50: digestsLate(0.5),
      p99: digestsLate(0.99),
    },
  };
}
