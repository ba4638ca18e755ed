/** How patient Belay is with what it carries out, all in milliseconds. */
export type Timings = {
  /** How long a step counts as being carried out without another sign of life. */
  leaseMs: number;
  /** After this, a change that cannot be seen has not happened: longer than a service may take. */
  settleMs: number;
  /** The least time between two looks at an unknown outcome. */
  lookMs: number;
  /** A scheduled step that is so late was out of everybody's reach: it waits once more. */
  tooLateMs: number;
};

export const defaultTimings: Timings = {
  leaseMs: 30_000,
  settleMs: 60_000,
  lookMs: 5_000,
  tooLateMs: 120_000,
};

/** A step that is known not to have happened is tried so often altogether. */
export const maxAttempts = 3;

/** After that the outcome is left unknown: a person has to look. */
export const giveUpAfterMs = 24 * 60 * 60 * 1000;
