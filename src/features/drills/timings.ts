const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** In milliseconds, except for the numbers of runs. */
export const drillTimings = {
  /** Longer than one look at a run takes, so that a slow one is not taken by another process. */
  leaseMs: 2 * minuteMs,
  /** From one look at a restore to the next. */
  checkMs: 30_000,
  /** How long a run waits for the service before anything was sent. */
  startMs: 6 * hourMs,
  /** How long Belay looks for a volume of which the service shows no trace. */
  traceMs: hourMs,
  /** How long Belay follows a restore while the service can't be read. */
  followMs: 7 * 24 * hourMs,
  /** At once, in this process. */
  maxConcurrent: 4,
  /** From one look to the next, so that many that are due at once are spread over time. */
  maxPerLook: 100,
};
export type DrillTimings = typeof drillTimings;
