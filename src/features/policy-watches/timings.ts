/** How often the policies of a connection are read, and how long Belay waits for them. */
export type Timings = {
  intervalMs: number;
  /** After a failure. */
  retryMs: number;
  /** For the whole list. */
  readMs: number;
  /** After this long, another process takes over. */
  leaseMs: number;
};

const minute = 60_000;

export const defaultTimings: Timings = {
  ...{ intervalMs: 15 * minute, retryMs: 5 * minute },
  ...{ readMs: minute, leaseMs: 5 * minute },
};
