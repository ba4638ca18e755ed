/** How often a connection is read, and how patient Belay is with it. */
export type Pace = {
  pollEveryMs: number;
  /** The longest that one walk through the alerts may take. */
  walkMs: number;
  /** After so long without a sign of life another process takes over. */
  leaseMs: number;
  /** The longest wait after failures. */
  longestWaitMs: number;
  /** So many failures in a row are told in the channels. */
  failuresBeforeTold: number;
  pollsAtOnce: number;
};

export const usualPace: Pace = {
  pollEveryMs: 15_000,
  // A storm that was missed for hours takes long to catch up with.
  walkMs: 10 * 60_000,
  // Longer than any single request with its retries.
  leaseMs: 60_000,
  longestWaitMs: 5 * 60_000,
  failuresBeforeTold: 3,
  pollsAtOnce: 8,
};
