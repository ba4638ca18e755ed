import type { InferResult, Selectable } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import type { MessageRef } from '../../../slack/api/post.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import type { ChannelRef } from '../handlers.ts';
import type { Outgoing } from '../message.ts';
import type { SummaryContent } from '../summarize.ts';
import { storedMessage } from './messages.ts';
import { toContent } from './summaries.ts';
import type { DeliverySummaryTable } from './tables.ts';

type QueueItem = {
  id: number;
  /** Who set up what posts it: in direct messages, their reader. Slack user id. */
  owner: string;
  version: number;
  position: number;
  /** Where it was posted, if it was. */
  posted: MessageRef | undefined;
  /** Failed edits in a row. */
  attempts: number;
  /** No further edit before this. */
  retryAt: Date | undefined;
};

/** A message to send, as a new post, an edit or a reply. */
export type WaitingMessage = QueueItem & {
  kind: 'message';
  /** Undefined for a reply. */
  subject: string | undefined;
  message: Outgoing['message'];
  queuedAt: Date;
  /** The message that it replies to; `missing` if that was never posted. */
  thread: MessageRef | 'missing' | undefined;
  traceparent: string | undefined;
};

/** A summary that is still counting. */
export type LiveSummary = QueueItem &
  SummaryContent & {
    kind: 'summary';
    groupKey: string;
    /** Since when it counts something that its message does not show. */
    unshownSince: Date | undefined;
    sentAt: Date | undefined;
  };

export type ChannelQueue = {
  /**
   * The first of each kind. Excluded is a reply whose message waits before it; an edit that failed
   * is ordered by its next try.
   */
  post: WaitingMessage | undefined;
  edit: WaitingMessage | undefined;
  reply: WaitingMessage | undefined;
  summaries: LiveSummary[];
  /** No edit before this: Slack limits them in the workspace, or the last one here failed. */
  editsReadyAt: Date | undefined;
  /** Edits in a row that failed, of any message. */
  failedEdits: number;
  /** Edits and replies since the last new message. */
  changesInARow: number;
  /** Shows later whether more was queued after this was read. */
  lastPosition: number;
};

/** What waits in a channel: the first message of each kind, and the live summaries. */
export async function readQueue(
  db: Database,
  { teamId, channelId }: ChannelRef,
): Promise<ChannelQueue> {
  // Read first: whatever is queued after this moves it.
  const channel = await db
    .selectFrom('delivery_channel')
    .select(['last_position', 'edits_ready_at', 'failed_edits', 'changes_in_a_row'])
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  const summaries = await db
    .selectFrom('delivery_summary')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'open')
    .orderBy('position')
    .execute();
  const queue = selectQueue(db, teamId, channelId);
  const messages = queue.where('m.reply_to', 'is', null);
  const [post, edit, reply] = [
    await messages.where('m.message_ts', 'is', null).orderBy('m.position').executeTakeFirst(),
    await queue
      .where('m.message_ts', 'is not', null)
      .orderBy((eb) => eb.fn.coalesce('m.retry_at', 'm.queued_at'))
      .orderBy('m.position')
      .executeTakeFirst(),
    await queue
      .where('m.reply_to', 'is not', null)
      .where('m.message_ts', 'is', null)
      .where((eb) =>
        eb.not(
          eb.and([
            eb('parent.state', '=', 'queued'),
            eb('parent.position', '<=', eb.ref('m.position')),
          ]),
        ),
      )
      .orderBy('m.position')
      .executeTakeFirst(),
  ];
  return {
    post: post && toMessage(post),
    edit: edit && toMessage(edit),
    reply: reply && toMessage(reply),
    summaries: summaries.map(toSummary),
    editsReadyAt: channel.edits_ready_at ?? undefined,
    failedEdits: channel.failed_edits,
    changesInARow: channel.changes_in_a_row,
    lastPosition: channel.last_position,
  };
}

function selectQueue(db: Database, teamId: string, channelId: string) {
  return db
    .selectFrom('delivery_message as m')
    .leftJoin('delivery_message as parent', 'parent.id', 'm.reply_to')
    .select([
      'm.id',
      'm.owner_slack_user_id',
      'm.version',
      'm.position',
      'm.subject',
      'm.message',
      'm.queued_at',
      'm.reply_to',
      'm.posted_channel_id',
      'm.message_ts',
      'm.attempts',
      'm.retry_at',
      'm.traceparent',
      'parent.posted_channel_id as thread_channel_id',
      'parent.message_ts as thread_ts',
    ])
    .where('m.team_id', '=', teamId)
    .where('m.channel_id', '=', channelId)
    .where('m.state', '=', 'queued')
    .limit(1);
}

/** Posted in place of one that can't be read, which would otherwise hold up its channel. */
export const unreadableMessage = notice(
  "⚠ Belay can't read a message that was stored for this channel. Ask your Belay administrator to search the log for the channel ID.",
);

type Row = InferResult<ReturnType<typeof selectQueue>>[number];

function toMessage(row: Row): WaitingMessage {
  return {
    kind: 'message',
    id: row.id,
    owner: row.owner_slack_user_id,
    version: row.version,
    position: row.position,
    subject: row.subject ?? undefined,
    message: storedMessage.safeParse(row.message).data ?? unreadableMessage,
    queuedAt: row.queued_at,
    posted: toRef(row.posted_channel_id, row.message_ts),
    attempts: row.attempts,
    retryAt: row.retry_at ?? undefined,
    thread:
      row.reply_to === null
        ? undefined
        : (toRef(row.thread_channel_id, row.thread_ts) ?? 'missing'),
    traceparent: row.traceparent ?? undefined,
  };
}

function toSummary(row: Selectable<DeliverySummaryTable>): LiveSummary {
  return {
    kind: 'summary',
    id: row.id,
    owner: row.owner_slack_user_id,
    groupKey: row.group_key,
    version: row.version,
    position: row.position,
    ...toContent(row),
    unshownSince: row.unshown_since ?? undefined,
    sentAt: row.sent_at ?? undefined,
    posted: toRef(row.posted_channel_id, row.message_ts),
    attempts: row.attempts,
    retryAt: row.retry_at ?? undefined,
  };
}

function toRef(channelId: string | null, messageTs: string | null) {
  return channelId && messageTs ? { channelId, messageTs } : undefined;
}
