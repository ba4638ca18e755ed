/** How often a connection is read, and how long Belay waits for it. */
export const defaultTimings = {
  pollIntervalMs: 15_000,
  /** For each page of alerts, however many there are. The first one may take two requests with their retries. */
  pageTimeoutMs: 40_000,
  /** A walk of at most this many pages is recorded oldest first. */
  maxHeldPages: 5,
  /**
   * After this long without a renewal, another process takes over. Longer than the page timeout, because the
   * lease is renewed with each page.
   */
  leaseMs: 60_000,
  /** Between polls that fail. */
  maxBackoffMs: 5 * 60_000,
  /** After this many failures in a row, the channels are warned. */
  failuresBeforeNotice: 3,
  /** After this many, an alert whose lookup fails with a server error counts as one of another tenant. */
  failedLookupsBeforeRestart: 10,
  maxPolls: 8,
  /** A walk that takes longer lets another poll start. */
  longWalkMs: 30_000,
  /** How many of those may run beside `maxPolls`. */
  maxLongWalks: 24,
};

export type Timings = typeof defaultTimings;
