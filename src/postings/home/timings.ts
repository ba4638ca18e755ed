/**
 * Slack takes about 100 views.publish a minute for each workspace, and as many users.info. The window
 * is longer than a minute, because a call may take seconds to arrive and the clocks of processes differ.
 * https://docs.slack.dev/reference/methods/views.publish
 */
export const publishLimit = {
  windowMs: 65_000,
  maxPerWindow: 100,
  /** No update while as many were published in the window: people who open their Home tab go first. */
  maxRefreshes: 30,
} as const;

/** What is published so much later than it was counted is counted again. */
export const maxUncountedMs = 1000;

/** How long a Home tab is updated after it was opened. */
export const refreshedForMs = 4 * 3_600_000;

/** After new settings a Home tab is updated once more, as if it had been opened that long ago at most. */
export const reopenedBeforeMs = refreshedForMs / 2;

/** Between two updates of a Home tab, so that a request that runs at once causes one. */
export const refreshPauseMs = 2000;

/** Longer than the reads and the two calls to Slack of a publication take. */
export const leaseMs = 30_000;

/** When a Home tab with an unavailable part is tried again. */
export const incompleteRetryMs = 60_000;

/** After the first failed attempt 2 s, then twice as long each time. */
export const retryMs = (attempts: number): number => Math.min(1000 * 2 ** attempts, 300_000);

/** Within a quarter of an hour. */
export const maxAttempts = 10;

/** While Belay has no token for the workspace. */
export const uninstalledRetryMs = 600_000;

/**
 * How long updates use what was read about a person, as long as the members of a user group. Opening Home
 * reads it again.
 */
export const personMs = 60_000;

export const retentionDays = 30;
