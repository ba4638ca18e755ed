/** How often a connection is read, and how patient Belay is with it. */
export type Timings = {
  pollEveryMs: number;
  /** The longest that the next page of alerts may take, however many there are. */
  patienceMs: number;
  /** A walk of no more pages than these is recorded from its oldest on. */
  maxHeldPages: number;
  /** After so long without a sign of life another process takes over. */
  leaseMs: number;
  /** The longest wait after failures. */
  maxWaitMs: number;
  /** So many failures in a row are told in the channels. */
  failuresBeforeTold: number;
  /** After so many a service that fails at what a watch knew is taken for one that never knew it. */
  failuresBeforeAnew: number;
  pollsAtOnce: number;
  /** A walk that takes longer makes room for another one. */
  longWalkMs: number;
  /** So many of those may go on beside the others. */
  longWalksAtOnce: number;
};

export const defaultTimings: Timings = {
  pollEveryMs: 15_000,
  // Two requests with their retries, as the first page may take.
  patienceMs: 40_000,
  maxHeldPages: 5,
  // Longer than the patience: each page is a sign of life.
  leaseMs: 60_000,
  maxWaitMs: 5 * 60_000,
  failuresBeforeTold: 3,
  failuresBeforeAnew: 10,
  pollsAtOnce: 8,
  longWalkMs: 30_000,
  longWalksAtOnce: 24,
};
