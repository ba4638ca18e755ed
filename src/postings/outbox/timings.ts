/** How Belay spaces its messages. Slack allows about one message a second in a channel. */
export const timings = {
  betweenMessagesMs: 1000,
  /** An edit and its reply: after these a new message goes first. */
  maxChangesInARow: 2,
  /** How many posts of one group may wait in a channel; further ones are counted in a summary. */
  maxPerGroup: 10,
  /** Two polls: the rest of a storm, on the last page of a poll, still belongs to it. */
  stormMs: 30_000,
  /** Between two updates of a summary while it grows. */
  betweenSummariesMs: 5000,
  /** For each live summary in the channel, so that all of them together take half of its messages. */
  forEachSummaryMs: 2000,
  /** A summary that has not grown for this long is closed. */
  quietMs: 120_000,
  /** A summary of this age is closed even if it still grows: a new one continues. */
  maxSummaryMs: 600_000,
  /** A message sent later than this says how late it is. */
  lateMs: 60_000,
  /** Longer than `deliveryTimeoutMs`, with time to record the answer. */
  leaseMs: 30_000,
  /** The first wait after a failure; each further one is twice as long. */
  firstRetryMs: 1000,
  maxRetryMs: 60_000,
  /**
   * A new message that may have arrived is retried less often after several unknown outcomes in a row:
   * a short outage delays it by less than 30 s after its end, and a long one makes few copies.
   */
  unknownOutcomeWaits: [
    { from: 5, ms: 600_000 },
    { from: 2, ms: 25_000 },
  ],
  /** After so many refusals in a row that are usually temporary, a message is given up. */
  maxRefusals: 20,
  /** Channels that one process serves at the same time; most of them wait for Slack. */
  maxConcurrent: 20,
  /** From one look to the next, so that the messages of many channels are spread over time. */
  maxPerLook: 20,
  /** How many of those may use the database, whose pool has ten connections for everything. */
  maxConcurrentQueries: 5,
  retentionDays: 30,
  /** Alerts may still change, and edit their messages, long after they were posted. */
  groupedRetentionDays: 400,
} as const;
