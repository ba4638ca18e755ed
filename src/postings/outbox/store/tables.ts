import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from '../../../database/column-types.ts';
import type { Message } from '../../../slack/ui/blocks.ts';

/** Locked by transactions that enqueue for the channel, and leased by the process that delivers there. */
type DeliveryChannelTable = {
  team_id: string;
  channel_id: string;
  /** Positions are handed out in ascending order; a change shows a deliverer that more was queued. */
  last_position: number;
  /** When there is something to do here; null while nothing waits. */
  due_at: Timestamp | null;
  /** Not before this, whatever is due: the gap between messages, or the wait after a failure. */
  ready_at: Timestamp;
  /** No edit before this: Slack limits them in the workspace, or the last one here failed. */
  edits_ready_at: Timestamp | null;
  /** Edits in a row that failed. */
  failed_edits: Generated<number>;
  /** Edits and replies since the last new message. */
  changes_in_a_row: Generated<number>;
  lease_holder: string | null;
  lease_until: Timestamp | null;
  /** Failures in a row of the post that is next. */
  attempts: Generated<number>;
  /** New messages in a row that may have arrived, or not: Slack did not answer. */
  unanswered: Generated<number>;
  /** Who knows that the channel is unreachable; empty again once a message arrives there. */
  notified_owners: ColumnType<string[], string | undefined, string>;
};

/** One for each subject, as long as it is kept, and one for each reply in its thread. */
type DeliveryMessageTable = {
  id: Generated<number>;
  team_id: string;
  channel_id: string;
  owner_slack_user_id: string;
  /** Null for a reply. */
  subject: string | null;
  reply_to: number | null;
  group_key: string | null;
  /** What waits to be sent; null once it was. */
  message: Json<Message> | null;
  /** Counts the bodies queued for the subject, to notice one that came while another was being sent. */
  version: Generated<number>;
  state: Generated<'queued' | 'sent' | 'dropped'>;
  position: number;
  queued_at: Timestamp;
  /** As Slack answered: the direct message's id if the message was sent to a user id. */
  posted_channel_id: string | null;
  message_ts: string | null;
  /** Failed edits in a row, and when the next one may be. */
  attempts: Generated<number>;
  retry_at: Timestamp | null;
  settled_at: Timestamp | null;
  /** The trace in which it was last queued. */
  traceparent: string | null;
};

/** Messages counted instead of posted; at most one open summary for each group in a channel. */
export type DeliverySummaryTable = {
  id: Generated<number>;
  team_id: string;
  channel_id: string;
  owner_slack_user_id: string;
  group_key: string;
  title: string;
  /** Count by facet. */
  counts: Json<Record<string, number>>;
  /** How many of them its message showed when it was last posted or edited. */
  shown_count: Generated<number>;
  since: Timestamp;
  last_at: Timestamp;
  /** The earliest and latest time at which they were raised; null unless all have one. */
  raised_from: Timestamp | null;
  raised_to: Timestamp | null;
  /** When more came at once than may wait, for the last time. */
  overflowed_at: Timestamp;
  version: Generated<number>;
  /** Since when it counts something that its message does not show; null when it shows everything. */
  unshown_since: Timestamp | null;
  state: Generated<'open' | 'closed' | 'dropped'>;
  position: number;
  posted_channel_id: string | null;
  message_ts: string | null;
  /** Failed edits in a row, and when the next one may be. */
  attempts: Generated<number>;
  retry_at: Timestamp | null;
  sent_at: Timestamp | null;
};

export type DeliveryTables = {
  delivery_channel: DeliveryChannelTable;
  delivery_message: DeliveryMessageTable;
  delivery_summary: DeliverySummaryTable;
};
