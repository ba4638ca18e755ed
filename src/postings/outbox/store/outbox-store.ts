import { sql, type Transaction } from 'kysely';
import { type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { MessageRef } from '../../../slack/api/post.ts';
import type { OutboxHandlers } from '../handlers.ts';
import type { Loss, LossReason } from '../loss-messages.ts';
import { totalOf } from '../summarize.ts';
import { abandon, reportDropped } from './abandon.ts';
import { type LeasedChannel, updateLeased } from './channels.ts';
import { type ChannelQueue, type LiveSummary, readQueue, type WaitingMessage } from './queue.ts';
import { closeSummary } from './summaries.ts';

type Item = WaitingMessage | LiveSummary;

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/**
 * The outbox for the process that delivers. `handlers` are the features that post through it: they
 * are called in this order, and locks are taken in it.
 *
 * What records the outcome of sending an item also releases its channel until `readyAt`. It is recorded
 * even if the lease ran out meanwhile: Slack has it, and it must not be sent again.
 */
export function createOutboxStore(db: Database, handlers: OutboxHandlers[], isServed: ServedTeams) {
  return {
    /** Leases channels in which something is due, those first that have waited longest. */
    async leaseChannels(lease: Lease, limit: number): Promise<LeasedChannel[]> {
      const rows = await leaseRows(db, lease, {
        table: 'delivery_channel',
        key: ['team_id', 'channel_id'],
        isServed,
        isDue: sql`due_at <= ${lease.at} and ready_at <= ${lease.at}`,
        // `ready_at` moves with each message sent, so the channel served longest ago is next.
        orderBy: ['ready_at'],
        limit,
      });
      return rows.map(({ team_id, channel_id, attempts, unanswered }) => ({
        teamId: team_id,
        channelId: channel_id,
        holder: lease.holder,
        leasedUntil: lease.until,
        attempts,
        unanswered,
      }));
    },

    readQueue: (channel: LeasedChannel): Promise<ChannelQueue> => readQueue(db, channel),

    /** Releases the channel until `dueAt`, unless more was queued since `lastPosition` was read. */
    async releaseUntil(
      channel: LeasedChannel,
      { dueAt, lastPosition }: { dueAt: Date | undefined; lastPosition: number },
    ): Promise<void> {
      await updateLeased(db, channel)
        .set((eb) => ({
          ...released,
          due_at: eb
            .case()
            .when('last_position', '=', lastPosition)
            .then(dueAt ?? null)
            .else(eb.ref('due_at'))
            .end(),
        }))
        .execute();
    },

    /** Releases the channel after a failed post, until `readyAt`. `unanswered` stays if not given. */
    async postpone(
      channel: LeasedChannel,
      {
        attempts,
        unanswered,
        readyAt,
      }: { attempts: number; unanswered?: number | undefined; readyAt: Date },
    ): Promise<void> {
      await updateLeased(db, channel)
        .set({
          ...released,
          attempts,
          ready_at: readyAt,
          ...(unanswered !== undefined && { unanswered }),
        })
        .execute();
    },

    /** Pauses edits in all channels of the workspace, those that other processes hold included. */
    async pauseEdits(teamId: string, until: Date): Promise<void> {
      // Rows are locked in one order, so that two processes cannot deadlock here.
      await sql`
        update delivery_channel c set edits_ready_at = greatest(c.edits_ready_at, ${until})
        from (
          select team_id, channel_id from delivery_channel
          where team_id = ${teamId} order by channel_id for update
        ) locked
        where c.team_id = locked.team_id and c.channel_id = locked.channel_id
      `.execute(db);
    },

    /** Records a sent message. A newer body that was queued meanwhile keeps waiting. */
    async recordMessage(
      channel: LeasedChannel,
      sent: { message: WaitingMessage; posted: MessageRef; at: Date; readyAt: Date },
    ): Promise<void> {
      const { message, posted, at, readyAt } = sent;
      const { channelId, messageTs } = posted;
      await db.transaction().execute(async (trx) => {
        await release(trx, channel, { item: message, isSent: true, readyAt });
        await messageRow(trx, channel, message)
          .set({
            posted_channel_id: channelId,
            message_ts: messageTs,
            settled_at: at,
            ...noFailures,
          })
          .execute();
        await messageRow(trx, channel, message)
          .set({ state: 'sent', message: null })
          .where('version', '=', message.version)
          .execute();
      });
    },

    /** Records a sent summary. `isLast` closes it; what was counted meanwhile starts the next one. */
    async recordSummary(
      channel: LeasedChannel,
      sent: {
        summary: LiveSummary;
        posted: MessageRef;
        isLast: boolean;
        at: Date;
        readyAt: Date;
      },
    ): Promise<void> {
      const { summary, posted, isLast, at, readyAt } = sent;
      const { channelId, messageTs } = posted;
      await db.transaction().execute(async (trx) => {
        await release(trx, channel, { item: summary, isSent: true, readyAt });
        await summaryRow(trx, channel, summary)
          .set({
            posted_channel_id: channelId,
            message_ts: messageTs,
            sent_at: at,
            shown_count: totalOf(summary.counts),
            unshown_since: at,
            ...noFailures,
          })
          .execute();
        await summaryRow(trx, channel, summary)
          .set({ unshown_since: null })
          .where('version', '=', summary.version)
          .execute();
        if (isLast) await closeSummary(trx, channel.teamId, summary);
      });
    },

    /** Drops an item for good. A summary whose message is gone is posted again when it grows. */
    async recordRefusal(
      channel: LeasedChannel,
      { item, at, readyAt }: { item: Item; at: Date; readyAt: Date },
    ): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const ref = { teamId: channel.teamId, channelId: channel.channelId };
        // Before the channel's row is locked, in the same order as when a feature enqueues.
        await reportDropped(trx, handlers, ref, unpostedSubjects(item));
        await release(trx, channel, { item, isSent: false, readyAt });
        if (item.kind === 'message') {
          await messageRow(trx, channel, item)
            .set({ state: 'dropped', message: null, settled_at: at, ...noFailures })
            .where('version', '=', item.version)
            .execute();
        } else {
          await summaryRow(trx, channel, item)
            .set({
              ...(!item.posted && { state: 'dropped' as const }),
              posted_channel_id: null,
              message_ts: null,
              sent_at: at,
              ...noFailures,
            })
            .execute();
        }
      });
    },

    /** Requeues a message that can't be edited anymore, to be posted again at its position. */
    async repostLater(
      channel: LeasedChannel,
      lost: { message: WaitingMessage; posted: MessageRef; readyAt: Date },
    ): Promise<void> {
      const { message, posted, readyAt } = lost;
      await db.transaction().execute(async (trx) => {
        await release(trx, channel, { item: message, isSent: false, readyAt });
        await messageRow(trx, channel, message)
          .set({ posted_channel_id: null, message_ts: null })
          // Another process may have posted it again already.
          .where('message_ts', '=', posted.messageTs)
          .execute();
      });
    },

    /**
     * Postpones a failed edit until `retryAt`, and all other edits in the channel until
     * `editsReadyAt`. Posts continue.
     */
    async postponeEdit(
      channel: LeasedChannel,
      failed: {
        item: Item;
        attempts: number;
        retryAt: Date;
        editsReadyAt: Date;
        readyAt: Date;
      },
    ): Promise<void> {
      const { item, attempts, retryAt, editsReadyAt, readyAt } = failed;
      await db.transaction().execute(async (trx) => {
        await updateLeased(trx, channel)
          .set((eb) => ({
            ...released,
            ready_at: readyAt,
            edits_ready_at: eb.fn('greatest', ['edits_ready_at', eb.val(editsReadyAt)]),
            failed_edits: eb('failed_edits', '+', 1),
          }))
          .execute();
        await trx
          .updateTable(item.kind === 'message' ? 'delivery_message' : 'delivery_summary')
          .set({ attempts, retry_at: retryAt })
          .where('team_id', '=', channel.teamId)
          .where('id', '=', item.id)
          .execute();
      });
    },

    /** Deletes messages that were posted or dropped before these times. Grouped messages are kept longer. */
    async prune({ before, groupedBefore }: { before: Date; groupedBefore: Date }): Promise<void> {
      await db
        .deleteFrom('delivery_message')
        .where('state', '<>', 'queued')
        .where('settled_at', '<', before)
        .where(isServed('delivery_message.team_id'))
        .where((eb) => eb.or([eb('group_key', 'is', null), eb('settled_at', '<', groupedBefore)]))
        .execute();
      await db
        .deleteFrom('delivery_summary')
        .where('state', '<>', 'open')
        .where('last_at', '<', before)
        .where(isServed('delivery_summary.team_id'))
        .execute();
    },

    abandon: (channel: LeasedChannel, why: LossReason, at: Date): Promise<Loss[]> =>
      abandon(db, handlers, channel, { why, at }),
  };
}

/** Everything that waits or was sent: nothing is posted, edited or counted any more. */
export const purgeOutbox = purgeTables('delivery_message', 'delivery_summary', 'delivery_channel');

function messageRow(trx: Transaction<Tables>, { teamId }: LeasedChannel, { id }: WaitingMessage) {
  return trx.updateTable('delivery_message').where('team_id', '=', teamId).where('id', '=', id);
}

function summaryRow(trx: Transaction<Tables>, { teamId }: LeasedChannel, { id }: LiveSummary) {
  return trx.updateTable('delivery_summary').where('team_id', '=', teamId).where('id', '=', id);
}

const noFailures = { attempts: 0, retry_at: null } as const;

/** Called before any message row is locked, the order in which enqueueing locks: avoids deadlocks. */
async function release(
  trx: Transaction<Tables>,
  channel: LeasedChannel,
  { item, isSent, readyAt }: { item: Item; isSent: boolean; readyAt: Date },
): Promise<void> {
  const kind = kindOf(item);
  await updateLeased(trx, channel)
    .set((eb) => ({
      ...released,
      attempts: 0,
      ready_at: readyAt,
      ...(!item.posted && { unanswered: 0 }),
      ...(isSent && { notified_owners: '[]' }),
      ...(isSent && item.posted && { failed_edits: 0 }),
      ...(isSent && kind === 'post' && { changes_in_a_row: 0 }),
      ...(isSent && kind === 'change' && { changes_in_a_row: eb('changes_in_a_row', '+', 1) }),
    }))
    .execute();
}

/** The subject of a message that nobody has seen. */
function unpostedSubjects(item: Item): string[] {
  return item.kind === 'message' && !item.posted && item.subject ? [item.subject] : [];
}

/** The update of a posted summary does not count as a change: it always goes first. */
function kindOf(item: Item): 'post' | 'change' | 'update' {
  if (item.kind === 'summary') return item.posted ? 'update' : 'post';
  return item.posted || item.thread ? 'change' : 'post';
}
