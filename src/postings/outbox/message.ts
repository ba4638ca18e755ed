import type { Message } from '../../slack/ui/blocks.ts';

/** A channel, to which messages go one a second, in the order in which they were queued. */
export type Destination = {
  teamId: string;
  channelId: string;
  /** The person who set up what posts there: notified when the channel is unreachable. */
  ownerSlackUserId: string;
};

/** A message for the outbox. */
export type Outgoing = {
  /**
   * What it is about, such as `watch:<id>:<alert id>`. While a message about the same subject waits,
   * this one replaces it; once that one was posted, this one edits it.
   */
  subject: string;
  message: Message;
  /** Goes into the thread of that message, after it was posted or edited. */
  threadReply?: Message | undefined;
  /**
   * What it may be counted in when too many come: a live summary for each `key` (a watch), which
   * counts by `facet`. Messages without a group are never merged.
   */
  group?: Group | undefined;
  /** Dropped unless there is a message about this subject already. */
  onlyEdits?: boolean | undefined;
};

export type Group = {
  key: string;
  title: string;
  /** A severity and, after a line break, what else the summary counts by, such as the cause. */
  facet: string;
  /** A message counted in the live summary before (at this moment) is not counted in it again. */
  countedAt?: Date | undefined;
  /** When it happened, by the service's clock; shown instead of the time of counting. */
  raisedAt?: Date | undefined;
};

/**
 * How a queued message is delivered: as its own message, or counted in a summary. The outbox does
 * not remember subjects that were counted: the caller stores this and passes it as `countedAt` later.
 */
export type Queued = { subject: string; as: 'message' | 'summary' };
