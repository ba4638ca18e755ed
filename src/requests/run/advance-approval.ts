import { addMilliseconds } from '../../dates.ts';
import { plural } from '../../slack/ui/words.ts';
import type { Progress } from '../action.ts';
import { stepOf } from '../action-steps.ts';
import {
  type Approval,
  type ApprovalRef,
  findSent,
  isFollowed,
  mayHaveSent,
  type Outcome,
  type Run,
} from '../approval.ts';
import { transitions } from '../approval-state.ts';
import type { RequestContext } from '../request-context.ts';
import { giveUpAfterMs, maxAttempts } from '../timings.ts';
import { endingOf, runApproval } from './run-approval.ts';

const hourMs = 60 * 60_000;

/** The maximum extra delay of a step that is late. */
const maxSecondWaitMs = 10 * 60 * 1000;

/** Ends a pending request whose deadline has passed. Concurrent calls have one effect. */
export async function passDeadline(
  ref: ApprovalRef,
  { store, clock }: RequestContext,
): Promise<void> {
  const approval = await store.find(ref);
  const at = clock();
  if (approval?.state !== 'pending' || !approval.wakeAt || approval.wakeAt > at) return;
  if (approval.messageTs && !approval.breakGlass) {
    await store.expire({ ...ref, at });
    return;
  }
  const outcome = approval.breakGlass
    ? 'Belay was interrupted before it started the change.'
    : "Belay couldn't post the request in time.";
  await store.voidUnposted({ ...ref, at, outcome });
}

/** Makes the change that a run is due for, if any. Concurrent calls have one effect. */
export async function advanceRun(ref: ApprovalRef, context: RequestContext): Promise<void> {
  const { store, bind, clock, timings } = context;
  const approval = await store.findRun(ref);
  if (!approval) return;
  const [run] = approval.runs;
  const at = clock();
  if (!run.wakeAt || run.wakeAt > at) return;
  const outcome = describeLateness(approval, at);
  if (outcome !== undefined) {
    await store.voidLate({ ...ref, at, outcome, seenVersion: run.version });
    return;
  }
  switch (run.state) {
    case 'approved':
      return runApproval(approval, context);
    case 'scheduled': {
      const lateMs = at.getTime() - run.wakeAt.getTime();
      if (lateMs < timings.tooLateMs) return runApproval(approval, context);
      // While Belay was down nobody could cancel the step, so people get another chance.
      const { afterMs } = stepOf(bind(approval), run.step);
      const wakeAt = addMilliseconds(at, Math.min(afterMs, maxSecondWaitMs));
      await store.postpone({ ...ref, at, wakeAt });
      return;
    }
    case 'running': {
      if (isFollowed(run)) return reconcile(approval, context);
      const outcome = mayHaveSent(run, run.step)
        ? 'Belay was interrupted while it made the change.'
        : 'Belay was interrupted before it sent the change.';
      const wakeAt = addMilliseconds(at, timings.checkMs);
      await store.markOutcomeUnknown({ ...ref, at, outcome, wakeAt });
      return;
    }
    case 'outcome_unknown':
      return reconcile(approval, context);
    case 'completed':
      return followUp(approval, context);
    default:
      return;
  }
}

/**
 * Why a step that is due won't be started any more: the rule of the request limits how late. Since it
 * was due last: one that was postponed is announced again. A cancellation is never too late.
 */
function describeLateness(approval: Approval, at: Date): string | undefined {
  const { rule, runs } = approval;
  const [run] = runs;
  const { wakeAt, state, step, canceledBy } = run;
  if (!rule || !wakeAt || canceledBy !== undefined) return undefined;
  if (at.getTime() - wakeAt.getTime() < rule.hoursToRun * hourMs) return undefined;
  const waits = transitions.voidLate.from.some((one) => one === state);
  // Belay still finds out whether it was made.
  if (!waits || (state === 'outcome_unknown' && mayHaveSent(run, step))) return undefined;
  return `Belay couldn't start the change within ${plural(rule.hoursToRun, 'hour')}, the limit set by the rule for this action. Submit the request again.`;
}

/** How much longer than `settleMs` Belay looks for a change that it may not send again. */
const onceFactor = 10;

/** The maximum time between two looks at a task of the service. */
const maxFollowMs = 60_000;

/**
 * Checks the service until the outcome of a step is known, or follows its task to the end. A step that did
 * not happen, and can no longer happen by now, is run again: the approval is still valid.
 */
async function reconcile(approval: Approval, context: RequestContext): Promise<void> {
  const { store, clock, timings, log } = context;
  const { teamId, runs } = approval;
  const [run] = runs;
  const { id, finishedAt = approval.requestedAt, attempts, version: seenVersion } = run;
  const ref = { teamId, id, seenVersion };
  // Since the last sign of the step, not since it began: the call may have taken long.
  const sinceMs = clock().getTime() - finishedAt.getTime();

  const settle = async (outcome: Outcome) => {
    await store.settle({ ...endingOf(approval, outcome, context), seenVersion });
  };

  const found = await checkService(approval, context).catch((error: unknown) => {
    log.warn({ approvalId: approval.id, err: error }, 'an unknown outcome could not be checked');
    return { state: 'check-failed' as const };
  });
  if (found.state === 'in-progress') return followTask(approval, found.words, context);
  const isSent = mayHaveSent(run, run.step);
  const isOnce = isSent && stepOf(context.bind(approval), run.step).sendsOnce;
  const isOver =
    found.state === 'connection_replaced' ||
    found.state === 'unknown' ||
    (found.state === 'check-failed' && sinceMs > giveUpAfterMs && !wasDown(run, clock())) ||
    (found.state === 'busy' && sinceMs > timings.maxBusyMs) ||
    (found.state === 'not-done' && isOnce && sinceMs > timings.settleMs * onceFactor);
  // Nothing is unknown then: another attempt finds that somebody else made the change, waits, or fails.
  const isKnown = found.state === 'done' || found.state === 'busy' || isOver;
  if (!isSent && isKnown) return runApproval(approval, context);
  if (found.state === 'done') {
    const { words = 'Belay checked again and found the change.', createdId } = found;
    return settle({ to: 'completed', outcome: words, createdId });
  }
  if (found.state === 'failed') return settle({ to: 'failed', outcome: found.words });
  if (isOver) {
    const words = 'words' in found ? found.words : undefined;
    await store.giveUp({ ...ref, at: clock(), outcome: words });
    return;
  }
  const mustWait = found.state !== 'not-done' || isOnce || sinceMs < timings.settleMs;
  if (mustWait) {
    const waitMs = Math.max(timings.checkMs, Math.min(sinceMs / 2, hourMs));
    const wakeAt = addMilliseconds(clock(), waitMs);
    return store.rescheduleCheck({ ...ref, wakeAt });
  }
  if (attempts < maxAttempts) return runApproval(approval, context);
  const outcome = isSent
    ? `Belay tried ${attempts} times, and the service doesn't show the change.`
    : `Belay was interrupted ${attempts} times before it sent the change.`;
  await settle({ to: 'failed', outcome });
}

/**
 * Looks again later, the less often the longer it takes. Words that only say how far an accepted change is
 * are shown; before Belay knows that the task is its own, the outcome stays unknown.
 */
async function followTask(
  { teamId, runs: [run] }: Approval,
  words: string,
  { store, clock, timings }: RequestContext,
): Promise<void> {
  const at = clock();
  const { id, version: seenVersion, startedAt = at } = run;
  const elapsedMs = at.getTime() - startedAt.getTime();
  const waitMs = Math.max(timings.checkMs, Math.min(elapsedMs / 10, maxFollowMs));
  const next = { teamId, id, seenVersion, wakeAt: addMilliseconds(at, waitMs) };
  if (!isFollowed(run) || run.outcome === words) {
    return store.rescheduleCheck({ ...next, seenAt: at });
  }
  await store.recordProgress({ ...next, outcome: words, at });
}

/** Whether nobody looked when it was time, because Belay was down: the day of attempts isn't over. */
function wasDown({ wakeAt }: Run, at: Date): boolean {
  return wakeAt !== undefined && at.getTime() - wakeAt.getTime() > hourMs;
}

/** Looks once more at what a completed run has left. While that fails, again later, for a day. */
async function followUp(approval: Approval, context: RequestContext): Promise<void> {
  const { store, bind, clock, log } = context;
  const { teamId, runs } = approval;
  const [run] = runs;
  const { id, version: seenVersion, finishedAt = approval.requestedAt } = run;
  const at = clock();
  const ref = { teamId, id, seenVersion, at };
  const action = bind(approval);
  const step = stepOf(action, run.step);
  try {
    const opened = await action.open(context, approval);
    const outcome = await opened?.followUp(step);
    await store.recordFollowUp({ ...ref, outcome });
  } catch (error) {
    log.warn(
      { approvalId: approval.id, err: error },
      'a completed change could not be followed up',
    );
    const lateMs = at.getTime() - finishedAt.getTime() - (step.followUpMs ?? 0);
    const mayRetry = wasDown(run, at) || lateMs < giveUpAfterMs;
    const wakeAt = mayRetry ? addMilliseconds(at, hourMs) : undefined;
    await store.recordFollowUp({ ...ref, wakeAt });
  }
}

async function checkService(
  approval: Approval,
  context: RequestContext,
): Promise<Progress | { state: 'connection_replaced' }> {
  const action = context.bind(approval);
  const opened = await action.open(context, approval);
  if (!opened) return { state: 'connection_replaced' };
  const [run] = approval.runs;
  return opened.progressOf(stepOf(action, run.step), findSent(run));
}
