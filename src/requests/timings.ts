/** All in milliseconds; tests shorten these. */
export type Timings = {
  /** How long a step counts as running without renewing its lease. */
  leaseMs: number;
  /** After this, a change that cannot be seen did not happen: longer than a service may take. */
  settleMs: number;
  /** The minimum time between two checks of an unknown outcome. */
  checkMs: number;
  /** A scheduled step this late is postponed, because nobody could cancel it while Belay was down. */
  tooLateMs: number;
  /** How often, and for how long within one attempt, a step follows work of the service. */
  followEveryMs: number;
  followMs: number;
  /** The first wait for a subject that is locked by another change, and how long all of them last. */
  busyMs: number;
  maxBusyMs: number;
};

export const defaultTimings: Timings = {
  leaseMs: 30_000,
  settleMs: 60_000,
  checkMs: 5_000,
  tooLateMs: 120_000,
  followEveryMs: 2_000,
  followMs: 60_000,
  busyMs: 10_000,
  maxBusyMs: 30 * 60_000,
};

/** The attempts of a step that is known not to have happened. */
export const maxAttempts = 3;

/** After this the outcome stays unknown: a person has to check. */
export const giveUpAfterMs = 24 * 60 * 60 * 1000;

/** How long a request waits for a decision. */
export const approvalLifetimeMs = 8 * 60 * 60 * 1000;

/** How long an ended request is stored: a late click on its message then says that it is gone. */
export const retentionDays = 400;

/** How many open requests a list reads. */
export const maxOpen = 200;

/** How long posting a request may take before it counts as interrupted. */
export const postingMs = 2 * 60 * 1000;
