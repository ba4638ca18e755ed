export const slackLimit = { perMinute: 100, windowMs: 60_000 };

/** The most calls in any minute, from their times in milliseconds. */
export function maxWithin(times: number[]): number {
  const counts = times.map(
    (from) => times.filter((at) => at >= from && at < from + slackLimit.windowMs).length,
  );
  return Math.max(0, ...counts);
}
