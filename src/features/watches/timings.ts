/** How often a connection is read, and how long Belay waits for it. */
export type Timings = {
  pollIntervalMs: number;
  /** For each page of alerts, however many there are. */
  pageTimeoutMs: number;
  /** A walk of at most this many pages is recorded oldest first. */
  maxHeldPages: number;
  /** After this long without a renewal, another process takes over. */
  leaseMs: number;
  /** Between polls that fail. */
  maxBackoffMs: number;
  /** After this many failures in a row, the channels are warned. */
  failuresBeforeNotice: number;
  /** After this many, an alert whose lookup fails with a server error counts as one of another tenant. */
  failedLookupsBeforeRestart: number;
  maxPolls: number;
  /** A walk that takes longer lets another poll start. */
  longWalkMs: number;
  /** How many of those may run beside `maxPolls`. */
  maxLongWalks: number;
  /** How often a watched policy's compliance is read. */
  complianceIntervalMs: number;
};

export const defaultTimings: Timings = {
  pollIntervalMs: 15_000,
  // Two requests with their retries, which the first page may take.
  pageTimeoutMs: 40_000,
  maxHeldPages: 5,
  // Longer than the page timeout, because the lease is renewed with each page.
  leaseMs: 60_000,
  maxBackoffMs: 5 * 60_000,
  failuresBeforeNotice: 3,
  failedLookupsBeforeRestart: 10,
  maxPolls: 8,
  longWalkMs: 30_000,
  maxLongWalks: 24,
  complianceIntervalMs: 60 * 60_000,
};
