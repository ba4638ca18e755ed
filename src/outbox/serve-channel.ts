import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { isBeyondEditing } from '../slack/api/message-failure.ts';
import type { SlackClient } from '../slack/api/slack-client.ts';
import { isUnclear, slackErrorCode } from '../slack/api/web-api-failure.ts';
import { abandonChannel } from './abandon-channel.ts';
import { chooseNext } from './choose-next.ts';
import { judgeFailure, retryMs } from './judge-failure.ts';
import type { ClaimedChannel, DeliveryStore, Waiting } from './outbox-store.ts';
import { recordUntil } from './record-until.ts';
import { type Sendable, type Sent, send } from './send.ts';
import { timings } from './timings.ts';

export type ServeDependencies = {
  store: DeliveryStore;
  slack: SlackClient;
  clock: Clock;
  log: Logger;
};

/** Says the one thing whose turn it is in this channel, and lets go of the channel. */
export async function serveChannel(
  channel: ClaimedChannel,
  dependencies: ServeDependencies,
): Promise<void> {
  const { store, slack, clock } = dependencies;
  const waiting = await store.readWaiting(channel);
  const now = clock();
  const next = chooseNext(waiting, now);
  if (next.kind === 'rest') {
    await store.rest(channel, { dueAt: next.until, lastPlace: waiting.lastPlace });
    return;
  }
  // Its message was given up before it was ever posted, and says nothing without it.
  if (next.kind === 'message' && next.item.thread === 'missing') {
    await store.recordRefusal(channel, { item: next.item, at: now, readyAt: now });
    return;
  }
  let sent: Sent;
  try {
    sent = await send(slack, channel.channelId, next, now);
  } catch (error) {
    await recover(channel, { item: next.item, waiting, error }, dependencies);
    return;
  }
  if (sent.kind === 'unreachable') return abandonChannel(channel, dependencies);

  // At once: whoever dies before this is recorded says it a second time after the restart.
  const { posted } = sent;
  const at = clock();
  const said = { posted, at, readyAt: addMilliseconds(at, timings.betweenMessagesMs) };
  const record = () =>
    next.kind === 'message'
      ? store.recordMessage(channel, { message: next.item, ...said })
      : store.recordSummary(channel, { summary: next.item, isLast: next.isLast, ...said });
  await recordUntil(channel.heldUntil, record, dependencies);
}

/** What was to be said keeps its place until Slack takes it or says that it never will. */
async function recover(
  channel: ClaimedChannel,
  { item, waiting, error }: { item: Sendable['item']; waiting: Waiting; error: unknown },
  { store, clock, log }: ServeDependencies,
): Promise<void> {
  const { teamId, channelId } = channel;
  const { attempts } = item.posted ? item : channel;
  const fields = { teamId, channelId, attempts, code: slackErrorCode(error) };
  const at = clock();
  const afterGap = addMilliseconds(at, timings.betweenMessagesMs);
  if (item.kind === 'message' && item.posted && isBeyondEditing(error)) {
    log.warn(fields, 'a posted message cannot be edited and will be posted anew');
    const { posted } = item;
    await store.forgetPosted(channel, { message: item, posted, readyAt: afterGap });
    return;
  }
  const verdict = judgeFailure(error, attempts);
  if (verdict.kind === 'refused') {
    log.error({ ...fields, err: error }, 'Slack refused a message, which is given up');
    await store.recordRefusal(channel, { item, at, readyAt: afterGap });
    return;
  }
  if (verdict.kind === 'wait') {
    const readyAt = addMilliseconds(at, verdict.ms);
    log.warn({ ...fields, waitMs: verdict.ms }, 'Slack asked to slow down');
    // Posts are limited by the channel, edits by the workspace: others would only ask in vain, and
    // what is new need not wait.
    if (item.posted) await store.pauseEdits(teamId, readyAt);
    await store.postpone(channel, {
      attempts: channel.attempts,
      readyAt: item.posted ? afterGap : readyAt,
    });
    return;
  }
  if (item.posted) {
    log.warn({ ...fields, waitMs: verdict.ms, err: error }, 'an edit will be tried again later');
    const editsReadyAt = addMilliseconds(at, retryMs(waiting.failedEdits));
    const retryAt = addMilliseconds(at, verdict.ms);
    const failed = { item, attempts: verdict.attempts, retryAt, editsReadyAt };
    await store.postponeEdit(channel, { ...failed, readyAt: afterGap });
    return;
  }
  // It may be there, and each further try may be a further copy.
  const isInDoubt = isUnclear(error);
  const unanswered = channel.unanswered + (isInDoubt ? 1 : 0);
  const longWait = timings.doubtfulWaits.find(({ from }) => unanswered >= from);
  const waitMs = isInDoubt && longWait ? longWait.ms : verdict.ms;
  log.warn({ ...fields, unanswered, waitMs, err: error }, 'a message will be sent again later');
  const readyAt = addMilliseconds(at, waitMs);
  await store.postpone(channel, { attempts: verdict.attempts, unanswered, readyAt });
}
