import type { Clock } from '../../clock.ts';
import { retryWhileLeased } from '../../database/retry-while-leased.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Logger } from '../../logger.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { isOutcomeUnknown, isUneditable, slackErrorCode } from '../../slack/api/error-codes.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import { continueTrace } from '../../tracing.ts';
import { abandonChannel } from './abandon-channel.ts';
import { chooseNext } from './choose-next.ts';
import {
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

export type DeliverDependencies = {
  store: OutboxStore;
  clients: SlackClients;
  /** Lists what a summary of this group counts. */
  summaryButton?: SummaryButton | undefined;
  /** Whether the person may still be sent what is for their direct messages; without it, everybody. */
  mayReadDirect?: ((slack: SlackClient, slackUserId: string) => Promise<boolean>) | undefined;
  clock: Clock;
  log: Logger;
};

/** Sends the next message, edit, reply or summary of a leased channel, and releases the channel. */
export async function deliverNext(
  channel: LeasedChannel,
  dependencies: DeliverDependencies,
): Promise<void> {
  const { store, clock, log } = dependencies;
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
    sendNext(channel, { next, queue, now }, dependencies),
  );
}

async function sendNext(
  channel: LeasedChannel,
  { next, queue, now }: { next: Sendable; queue: ChannelQueue; now: Date },
  dependencies: DeliverDependencies,
): Promise<void> {
  const { store, clients, summaryButton, mayReadDirect, clock } = dependencies;
  const slack = await clients.clientFor(channel.teamId);
  let sent: Sent;
  try {
    const isRefused =
      isDirectChannel(channel.channelId) &&
      !((await mayReadDirect?.(slack, next.item.owner)) ?? true);
    if (isRefused) return abandonChannel(channel, 'no-access', dependencies);
    sent = await send(slack, channel.channelId, next, { now, summaryButton });
  } catch (error) {
    await recordFailure(channel, { item: next.item, queue, error }, dependencies);
    return;
  }
  if (sent.kind === 'unreachable') return abandonChannel(channel, 'unreachable', dependencies);

  // Nothing may come between: a process that dies before this sends the message a second time.
  const { posted } = sent;
  const at = clock();
  const result = { posted, at, readyAt: addMilliseconds(at, timings.betweenMessagesMs) };
  const record = () =>
    next.kind === 'message'
      ? store.recordMessage(channel, { message: next.item, ...result })
      : store.recordSummary(channel, { summary: next.item, isLast: next.isLast, ...result });
  await retryWhileLeased(record, { ...dependencies, until: channel.leasedUntil });
}

/** The message keeps its position until Slack takes it or refuses it for good. */
async function recordFailure(
  channel: LeasedChannel,
  { item, queue, error }: { item: Sendable['item']; queue: ChannelQueue; error: unknown },
  { store, clock, log }: DeliverDependencies,
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
