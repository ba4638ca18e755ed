import type { Transaction } from 'kysely';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import { untellDropped } from '../../features/digests/store/digest-pausing.ts';
import type {
  ClaimedChannel,
  DeliveryStore,
  LiveSummary,
  WaitingMessage,
} from '../outbox-store.ts';
import { released, updateHeld } from './claims.ts';
import { closeSummary } from './summaries.ts';
import { totalOf } from './tally.ts';

type SettlingStore = Pick<
  DeliveryStore,
  'recordMessage' | 'recordSummary' | 'recordRefusal' | 'forgetPosted' | 'postponeEdit' | 'prune'
>;

type Item = WaitingMessage | LiveSummary;

/** The part of `DeliveryStore` that is about what became of each message. */
export function createSettlingStore(db: Database): SettlingStore {
  return {
    // Recorded whoever holds the channel by now: it was said, and must not be said again.
    async recordMessage(channel, { message, posted, at, readyAt }) {
      const { id, version } = message;
      await db.transaction().execute(async (trx) => {
        await free(trx, channel, { item: message, isSaid: true, readyAt });
        const { channelId, messageTs } = posted;
        await trx
          .updateTable('delivery_message')
          .set({
            posted_channel_id: channelId,
            message_ts: messageTs,
            settled_at: at,
            ...untried,
          })
          .where('id', '=', id)
          .execute();
        await trx
          .updateTable('delivery_message')
          .set({ state: 'sent', message: null })
          .where('id', '=', id)
          .where('version', '=', version)
          .execute();
      });
    },

    async recordSummary(channel, { summary, posted, isLast, at, readyAt }) {
      const { id, version } = summary;
      await db.transaction().execute(async (trx) => {
        await free(trx, channel, { item: summary, isSaid: true, readyAt });
        const { channelId, messageTs } = posted;
        await trx
          .updateTable('delivery_summary')
          .set({
            posted_channel_id: channelId,
            message_ts: messageTs,
            sent_at: at,
            shown_count: totalOf(summary.counts),
            unshown_since: at,
            ...untried,
          })
          .where('id', '=', id)
          .execute();
        await trx
          .updateTable('delivery_summary')
          .set({ unshown_since: null })
          .where('id', '=', id)
          .where('version', '=', version)
          .execute();
        if (isLast) await closeSummary(trx, summary);
      });
    },

    async recordRefusal(channel, { item, at, readyAt }) {
      await db.transaction().execute(async (trx) => {
        // Before the channel's row, which whoever queues a digest takes after the digest's.
        await untellDropped(trx, channel, await subjectsOf(trx, item));
        await free(trx, channel, { item, isSaid: false, readyAt });
        if (item.kind === 'message') {
          await trx
            .updateTable('delivery_message')
            .set({ state: 'dropped', message: null, settled_at: at, ...untried })
            .where('id', '=', item.id)
            .where('version', '=', item.version)
            .execute();
        } else {
          await trx
            .updateTable('delivery_summary')
            .set({
              ...(!item.posted && { state: 'dropped' as const }),
              posted_channel_id: null,
              message_ts: null,
              sent_at: at,
              ...untried,
            })
            .where('id', '=', item.id)
            .execute();
        }
      });
    },

    async forgetPosted(channel, { message, posted, readyAt }) {
      await db.transaction().execute(async (trx) => {
        await free(trx, channel, { item: message, isSaid: false, readyAt });
        await trx
          .updateTable('delivery_message')
          .set({ posted_channel_id: null, message_ts: null })
          .where('id', '=', message.id)
          // Another deliverer may have posted it anew already.
          .where('message_ts', '=', posted.messageTs)
          .execute();
      });
    },

    async postponeEdit(channel, { item, attempts, retryAt, editsReadyAt, readyAt }) {
      await db.transaction().execute(async (trx) => {
        await updateHeld(trx, channel)
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
          .where('id', '=', item.id)
          .execute();
      });
    },

    async prune({ before, groupedBefore }) {
      await db
        .deleteFrom('delivery_message')
        .where('state', '<>', 'waiting')
        .where('settled_at', '<', before)
        .where((eb) => eb.or([eb('group_key', 'is', null), eb('settled_at', '<', groupedBefore)]))
        .execute();
      await db
        .deleteFrom('delivery_summary')
        .where('state', '<>', 'open')
        .where('last_at', '<', before)
        .execute();
    },
  };
}

const untried = { attempts: 0, retry_at: null } as const;

/** First of all: who queues holds the channel before its messages, and two must not wait crosswise. */
async function free(
  trx: Transaction<Tables>,
  channel: ClaimedChannel,
  { item, isSaid, readyAt }: { item: Item; isSaid: boolean; readyAt: Date },
): Promise<void> {
  const kind = kindOf(item);
  await updateHeld(trx, channel)
    .set((eb) => ({
      ...released,
      attempts: 0,
      ready_at: readyAt,
      ...(!item.posted && { unanswered: 0 }),
      ...(isSaid && { notified_owners: '[]' }),
      ...(isSaid && item.posted && { failed_edits: 0 }),
      ...(isSaid && kind === 'post' && { changes_in_a_row: 0 }),
      ...(isSaid && kind === 'change' && { changes_in_a_row: eb('changes_in_a_row', '+', 1) }),
    }))
    .execute();
}

/** What a message that was never posted is about. */
async function subjectsOf(trx: Transaction<Tables>, item: Item): Promise<string[]> {
  if (item.kind === 'summary' || item.posted) return [];
  const row = await trx
    .selectFrom('delivery_message')
    .select('subject')
    .where('id', '=', item.id)
    .executeTakeFirst();
  return row?.subject ? [row.subject] : [];
}

/** Something new, an edit or a reply, or the new face of a summary, which takes nobody's turn. */
function kindOf(item: Item): 'post' | 'change' | 'face' {
  if (item.kind === 'summary') return item.posted ? 'face' : 'post';
  return item.posted || item.thread ? 'change' : 'post';
}
