import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';
import type { Clock } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds, subDays } from '../../dates.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import {
  isOutcomeUnknown,
  isUneditable,
  retryAfterMs,
  slackErrorCode,
} from '../../slack/api/error-codes.ts';
import { deliveryTimeoutMs, type SlackClient } from '../../slack/api/slack-client.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import { continueTrace } from '../../tracing.ts';
import { chooseNext } from './choose-next.ts';
import type { LossReason } from './loss-messages.ts';
import {
  afterTemporary,
  classifyFailure,
  retryMs,
  type Sendable,
  type Sent,
  type SummaryButton,
  send,
} from './send.ts';
import type { LeasedChannel } from './store/channels.ts';
import type { OutboxStore } from './store/outbox-store.ts';
import { type ChannelQueue, unreadableMessage } from './store/queue.ts';
import { timings } from './timings.ts';

export type Delivery = ReturnType<typeof createDelivery>;

const logged: Record<LossReason, string> = {
  unreachable:
    'a channel is unreachable; its messages were dropped, its watches and digests paused',
  'no-access':
    'someone lost access to Belay; messages to them were dropped, their watches and digests paused',
};

/**
 * Sends what waits in the outbox, in any number of processes at once. Each message is sent at least
 * once: again, if the process dies between Slack's answer and its record, or the answer is lost.
 */
export function createDelivery({
  clients,
  summaryButton,
  mayReadDirect = async () => true,
  clock,
  log,
  ...given
}: {
  store: OutboxStore;
  clients: SlackClients;
  /** Lists what a summary of this group counts. */
  summaryButton?: SummaryButton;
  /** Whether the person may still be sent what is for their direct messages; without it, everybody. */
  mayReadDirect?: (slack: SlackClient, slackUserId: string) => Promise<boolean>;
  clock: Clock;
  log: Logger;
}) {
  const store = limitQueries(given.store, timings.maxConcurrentQueries);

  /** Sends the next message, edit, reply or summary of a leased channel, and releases the channel. */
  async function deliverNext(channel: LeasedChannel): Promise<void> {
    const queue = await store.readQueue(channel);
    const now = clock();
    const next = chooseNext(queue, now);
    if (next.kind === 'idle') {
      await store.releaseUntil(channel, { dueAt: next.until, lastPosition: queue.lastPosition });
      return;
    }
    // A reply to a message that was given up before it was posted makes no sense without it.
    if (next.kind === 'message' && next.item.thread === 'missing') {
      await store.recordRefusal(channel, { item: next.item, at: now, readyAt: now });
      return;
    }
    if (next.kind === 'message' && next.item.message === unreadableMessage) {
      const { teamId, channelId } = channel;
      log.error({ teamId, channelId, messageId: next.item.id }, "a stored message can't be read");
    }
    const traceparent = next.kind === 'message' ? next.item.traceparent : undefined;
    await continueTrace(traceparent, 'deliver message', () =>
      sendNext(channel, next, { queue, now }),
    );
  }

  async function sendNext(
    channel: LeasedChannel,
    next: Sendable,
    { queue, now }: { queue: ChannelQueue; now: Date },
  ): Promise<void> {
    const slack = await clients.clientFor(channel.teamId);
    if (isDirectChannel(channel.channelId)) {
      let mayRead: boolean;
      try {
        mayRead = await mayReadDirect(slack, next.item.owner);
      } catch (error) {
        return waitForReader(channel, error);
      }
      if (!mayRead) return abandon(channel, 'no-access');
    }
    // If this took long, for example because the process was suspended, the lease could end before Slack
    // answers: another process would post a second copy, or this one would undo a newer edit. The next
    // attempt posts at once.
    const sendAt = clock();
    if (addMilliseconds(sendAt, deliveryTimeoutMs) > channel.leasedUntil) {
      await store.postpone(channel, { attempts: channel.attempts, readyAt: sendAt });
      return;
    }
    let sent: Sent;
    try {
      sent = await send(slack, channel.channelId, next, { now, summaryButton });
    } catch (error) {
      await recordFailure(channel, next.item, { queue, error });
      return;
    }
    if (sent.kind === 'unreachable') return abandon(channel, 'unreachable');

    // Nothing may come between: a process that dies before this sends the message a second time.
    const { posted } = sent;
    const at = clock();
    const result = { posted, at, readyAt: addMilliseconds(at, timings.betweenMessagesMs) };
    const record = () =>
      next.kind === 'message'
        ? store.recordMessage(channel, { message: next.item, ...result })
        : store.recordSummary(channel, { summary: next.item, isLast: next.isLast, ...result });
    await retryWhileLeased(record, { until: channel.leasedUntil, clock, log });
  }

  /** Nothing was sent, because it isn't known whether the reader still has access. */
  async function waitForReader(channel: LeasedChannel, error: unknown): Promise<void> {
    const { teamId, channelId, attempts } = channel;
    const waitMs = Math.max(retryAfterMs(error) ?? 0, retryMs(attempts));
    const fields = { teamId, channelId, attempts, waitMs, err: error };
    log.warn(
      fields,
      "couldn't check whether a person may read a direct message, which will be sent later",
    );
    const readyAt = addMilliseconds(clock(), waitMs);
    await store.postpone(channel, { attempts: afterTemporary(attempts), readyAt });
  }

  /** The message keeps its position until Slack takes it or refuses it for good. */
  async function recordFailure(
    channel: LeasedChannel,
    item: Sendable['item'],
    { queue, error }: { queue: ChannelQueue; error: unknown },
  ): Promise<void> {
    const { teamId, channelId } = channel;
    const { attempts } = item.posted ? item : channel;
    const fields = { teamId, channelId, attempts, code: slackErrorCode(error) };
    const at = clock();
    const afterGap = addMilliseconds(at, timings.betweenMessagesMs);
    if (item.kind === 'message' && item.posted && isUneditable(error)) {
      log.warn(fields, "a posted message can't be edited and will be posted again");
      const { posted } = item;
      await store.repostLater(channel, { message: item, posted, readyAt: afterGap });
      return;
    }
    const failure = classifyFailure(error, attempts);
    if (failure.kind === 'refused') {
      log.error({ ...fields, err: error }, 'Slack refused a message, which is given up');
      await store.recordRefusal(channel, { item, at, readyAt: afterGap });
      return;
    }
    if (failure.kind === 'wait') {
      const readyAt = addMilliseconds(at, failure.ms);
      log.warn({ ...fields, waitMs: failure.ms }, 'Slack asked to slow down');
      // Slack limits posts by channel but edits by workspace: pause the edits of all channels, and
      // let new messages continue.
      if (item.posted) await store.pauseEdits(teamId, readyAt);
      await store.postpone(channel, {
        attempts: channel.attempts,
        readyAt: item.posted ? afterGap : readyAt,
      });
      return;
    }
    if (item.posted) {
      log.warn({ ...fields, waitMs: failure.ms, err: error }, 'an edit will be tried again later');
      const editsReadyAt = addMilliseconds(at, retryMs(queue.failedEdits));
      const retryAt = addMilliseconds(at, failure.ms);
      const failed = { item, attempts: failure.attempts, retryAt, editsReadyAt };
      await store.postponeEdit(channel, { ...failed, readyAt: afterGap });
      return;
    }
    // The message may have arrived, so every retry may post another copy.
    const isUnknown = isOutcomeUnknown(error);
    const unanswered = channel.unanswered + (isUnknown ? 1 : 0);
    const longWait = timings.unknownOutcomeWaits.find(({ from }) => unanswered >= from);
    const waitMs = isUnknown && longWait ? longWait.ms : failure.ms;
    log.warn({ ...fields, unanswered, waitMs, err: error }, 'a message will be sent again later');
    const readyAt = addMilliseconds(at, waitMs);
    await store.postpone(channel, { attempts: failure.attempts, unanswered, readyAt });
  }

  /**
   * Gives up a channel: pauses what posts there, drops what waits, and notifies each affected owner once.
   */
  async function abandon(channel: LeasedChannel, why: LossReason): Promise<void> {
    const { teamId, channelId } = channel;
    const losses = await store.abandon(channel, why, clock());
    const dropped = losses.reduce((sum, loss) => sum + loss.dropped, 0);
    const paused: Record<string, number> = {};
    for (const { plural, count } of losses.flatMap((loss) => loss.paused)) {
      paused[plural] = (paused[plural] ?? 0) + count;
    }
    log.warn({ teamId, channelId, dropped, ...paused }, logged[why]);
  }

  return {
    /**
     * Sends what is due, at most one message a channel at a time: a channel that is slow to answer delays
     * no other. To be started several times a second.
     */
    deliver: createDueWork({
      lease: (limit) => store.leaseChannels(newLease(clock, timings.leaseMs), limit),
      work: deliverNext,
      // After a failure other than Slack's, the channel is free when its lease runs out.
      onFailed: ({ teamId, channelId }, error) =>
        log.error({ teamId, channelId, err: error }, 'a channel could not be served'),
      limits: { maxConcurrent: timings.maxConcurrent, maxPerLook: timings.maxPerLook },
    }),

    /** Deletes messages sent long ago, which can then no longer be edited. */
    async prune(): Promise<void> {
      const now = clock();
      await store.prune({
        before: subDays(now, timings.retentionDays),
        groupedBefore: subDays(now, timings.groupedRetentionDays),
      });
    },
  };
}

/**
 * The same store with at most `max` queries at a time. Each may wait for the lock of its channel,
 * and occupies a connection meanwhile that people's commands need as well.
 */
function limitQueries(store: OutboxStore, max: number): OutboxStore {
  const queue = new PQueue({ concurrency: max });
  const limited =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      // Otherwise the queue would run it in the trace of the previous call.
      queue.add(AsyncLocalStorage.bind(() => call(...args)));
  return {
    leaseChannels: store.leaseChannels,
    readQueue: limited(store.readQueue),
    recordMessage: limited(store.recordMessage),
    recordSummary: limited(store.recordSummary),
    recordRefusal: limited(store.recordRefusal),
    repostLater: limited(store.repostLater),
    releaseUntil: limited(store.releaseUntil),
    postpone: limited(store.postpone),
    postponeEdit: limited(store.postponeEdit),
    pauseEdits: limited(store.pauseEdits),
    abandon: limited(store.abandon),
    prune: store.prune,
  };
}
