/** How Belay spaces what it sends. Slack takes about one message a second in a channel. */
export const timings = {
  betweenMessagesMs: 1000,
  /** An edit and its reply: a new message waits for no more of them than these. */
  maxChangesInARow: 2,
  /** More posts of one group than this do not wait in one channel. */
  maxPerGroup: 10,
  /** Two polls: what is left over on the last page of one still belongs to the storm. */
  stormMs: 30_000,
  /** From one face of a summary to the next, while it grows. */
  betweenSummariesMs: 5000,
  /** With many summaries in one channel each waits longer, so that they take half of its messages. */
  forEachSummaryMs: 2000,
  /** A summary that has not grown for so long is closed. */
  quietMs: 120_000,
  /** A summary that began so long ago is closed though it grows: the next one goes on. */
  maxSummaryMs: 600_000,
  /** What is sent later than this says so. */
  lateMs: 60_000,
  /** Longer than Slack's client waits for an answer, with time to record it. */
  leaseMs: 30_000,
  /** The first wait after a failure; each further one is twice as long. */
  firstRetryMs: 1000,
  maxRetryMs: 60_000,
  /**
   * A new message that may be there is tried less often, the more tries in a row were in doubt: short
   * trouble delays it by a minute, and long trouble makes few copies.
   */
  doubtfulWaits: [
    { from: 5, ms: 600_000 },
    { from: 2, ms: 60_000 },
  ],
  /** After so many refusals in a row that should pass and do not, a message is given up. */
  maxRefusals: 20,
  /** The first wait after what was said could not be recorded; each further one is twice as long. */
  firstRecordMs: 100,
  /** Channels that one process serves at the same time; most of them wait for Slack. */
  maxConcurrent: 20,
  /** Of these so many use the database, which has ten connections for all that a process does. */
  maxConcurrentQueries: 5,
  rememberedDays: 30,
  /** What belongs to a group may still be edited long after. */
  groupedRememberedDays: 400,
} as const;
