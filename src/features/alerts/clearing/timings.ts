/** In milliseconds, except for numbers of alerts and attempts. */
export const clearingTimings = {
  /** How long a form can be confirmed. */
  draftMs: 60 * 60_000,
  /** Longer than `workMs` and `callMs` together, so that a slow alert is not taken by another process. */
  leaseMs: 90_000,
  /** How long a process works on one clearing before it checks the person's rights again. */
  workMs: 10_000,
  /** For the calls about one alert. */
  callMs: 45_000,
  /** How many alerts at once; the client has limits of its own. */
  atOnce: 5,
  /** From one message about the progress to the next. */
  progressMs: 3000,
  /** Before an alert is tried again; twice as long after each attempt. */
  retryMs: 2000,
  maxAttempts: 6,
  /** After this time, what is left is not cleared. */
  maxMs: 60 * 60_000,
  /** How long results are stored. The audit log has them for good. */
  retentionMs: 7 * 24 * 60 * 60_000,
};
export type ClearingTimings = typeof clearingTimings;
