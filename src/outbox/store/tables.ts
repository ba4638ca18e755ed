import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from '../../database/column-types.ts';
import type { Outgoing } from '../message.ts';

type Message = Outgoing['message'];

/** Locked by whoever queues for the channel, and leased by whoever delivers there. */
export type DeliveryChannelTable = {
  team_id: string;
  channel_id: string;
  /** Places are given out upwards; that this has moved tells a deliverer that more was queued. */
  last_position: number;
  /** When there is something to do here; null while nothing waits. */
  due_at: Timestamp | null;
  /** Not before this, whatever is due: Slack's timings, or the wait after a failure. */
  ready_at: Timestamp;
  /** No edit before this: Slack limits them in the workspace, or the last one here failed. */
  edits_ready_at: Timestamp | null;
  /** Edits in a row that failed. */
  failed_edits: Generated<number>;
  /** Edits and replies since the last new message. */
  changes_in_a_row: Generated<number>;
  lease_holder: string | null;
  lease_until: Timestamp | null;
  /** Failures in a row of what was to be said. */
  attempts: Generated<number>;
  /** New messages in a row that may have arrived, or not: Slack did not answer. */
  unanswered: Generated<number>;
  /** Who was told that the channel is out of reach; empty again once a message arrives there. */
  notified_owners: ColumnType<string[], string | undefined, string>;
};

/** One a subject, for as long as it is remembered, and one a reply in its thread. */
export type DeliveryMessageTable = {
  id: Generated<number>;
  team_id: string;
  channel_id: string;
  owner_slack_user_id: string;
  /** Null for a reply. */
  subject: string | null;
  reply_to: number | null;
  group_key: string | null;
  /** What waits to be said; null once it was. */
  message: Json<Message> | null;
  /** Counts what was queued for the subject: a body that came while the one before was being sent. */
  version: Generated<number>;
  state: Generated<'waiting' | 'sent' | 'dropped'>;
  position: number;
  queued_at: Timestamp;
  /** Where Slack put it: the direct message, when it was sent to a person's id. */
  posted_channel_id: string | null;
  message_ts: string | null;
  /** Tries in a row to edit it that failed, and when the next one is. */
  attempts: Generated<number>;
  retry_at: Timestamp | null;
  settled_at: Timestamp | null;
};

/** What was counted instead of posted; at most one live one for each group in a channel. */
export type DeliverySummaryTable = {
  id: Generated<number>;
  team_id: string;
  channel_id: string;
  owner_slack_user_id: string;
  group_key: string;
  title: string;
  counts: Json<Record<string, number>>;
  /** How many of them its message showed when it was last posted or edited. */
  shown_count: Generated<number>;
  since: Timestamp;
  last_at: Timestamp;
  /** The earliest and the latest moment that the service told of them; null when it told none. */
  raised_from: Timestamp | null;
  raised_to: Timestamp | null;
  /** When more came at once than may wait, for the last time. */
  overflowed_at: Timestamp;
  version: Generated<number>;
  /** Since when it holds something that its message does not show; null when it shows all. */
  unshown_since: Timestamp | null;
  state: Generated<'open' | 'closed' | 'dropped'>;
  position: number;
  posted_channel_id: string | null;
  message_ts: string | null;
  /** Tries in a row to edit it that failed, and when the next one is. */
  attempts: Generated<number>;
  retry_at: Timestamp | null;
  sent_at: Timestamp | null;
};

export type DeliveryTables = {
  delivery_channel: DeliveryChannelTable;
  delivery_message: DeliveryMessageTable;
  delivery_summary: DeliverySummaryTable;
};
