import type { Message } from '../slack/ui/blocks.ts';

/** Where messages go, one a second, in the order in which they were queued. */
export type Destination = {
  teamId: string;
  channelId: string;
  /** Whoever set up what posts there: told when the channel is gone or has thrown Belay out. */
  ownerSlackUserId: string;
};

/** A message on its way. */
export type Outgoing = {
  /**
   * What it is about, such as `watch:<id>:<alert id>`. While a message about the same waits, this one
   * takes its place; once it was posted, this one edits it.
   */
  subject: string;
  message: Message;
  /** Goes into the thread of that message, after it was posted or edited. */
  threadReply?: Message | undefined;
  /**
   * What it may be counted in when there are too many: a live summary for each `key` (a watch),
   * which counts by `facet` (a severity). Messages without it are never merged.
   */
  group?: Group | undefined;
  /** Said only where there is a message of this subject already. */
  onlyEdits?: boolean | undefined;
};

export type Group = {
  key: string;
  title: string;
  facet: string;
  /** What was counted at a moment at which that summary was live is in it, and not counted again. */
  countedAt?: Date | undefined;
  /** When it happened, by the service's clock: people read that instead of when Belay came by. */
  raisedAt?: Date | undefined;
};

/**
 * What became of each message queued: its own message, or a place in a summary. What was counted is
 * not remembered here: whoever queues keeps what it became, and says when it is queued again.
 */
export type Queued = { subject: string; as: 'own' | 'counted' };
