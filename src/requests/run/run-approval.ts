import { randomUUID } from 'node:crypto';
import { addMilliseconds } from '../../dates.ts';
import type { Action } from '../action.ts';
import { isCancelStep, stepAfter, stepOf, stepsBefore } from '../action-steps.ts';
import { type Approval, type Ending, mayHaveSent, type Outcome } from '../approval.ts';
import type { RequestContext } from '../request-context.ts';
import type { Lease } from '../store/running.ts';
import type { Timings } from '../timings.ts';
import { startLeaseTerm } from './lease-term.ts';
import { runStep } from './run-step.ts';

/**
 * Runs the step that is due, under a lease: only the process that started it may act, and only while
 * it renews the lease. Does nothing when another call has started the step, it is not due, or the run
 * has changed since it was read.
 */
export async function runApproval(
  { teamId, runs: [run] }: Pick<Approval, 'teamId' | 'runs'>,
  context: RequestContext,
): Promise<void> {
  const { store, clock, timings } = context;
  const { id, version: seenVersion } = run;
  const holder = randomUUID();
  const term = startLeaseTerm(holder, { clock, leaseMs: timings.leaseMs });
  const change = (lease: Lease) => ({ teamId, id, lease, at: clock() });
  try {
    const approval = await term.extend((lease) => store.begin({ ...change(lease), seenVersion }));
    if (!approval) return;
    const renewing = setInterval(() => {
      // A failed renewal may be followed by another; until then the lease has its old end.
      term.extend((lease) => store.renewLease(change(lease))).catch(() => undefined);
    }, timings.leaseMs / 3);
    const outcome = await runStep(approval, {
      ...context,
      term,
      markSent: () => term.extend((lease) => store.markSent(change(lease))),
    }).finally(() => clearInterval(renewing));
    if (outcome) await store.finish({ ...endingOf(approval, outcome, context), holder });
  } finally {
    term.release();
  }
}

/** The state of a run after the outcome of its step. */
export function endingOf(
  approval: Approval,
  { to, outcome, stopReason, createdId, taskId }: Outcome,
  { bind, clock, timings }: Pick<RequestContext, 'bind' | 'clock' | 'timings'>,
): Ending {
  const { teamId, runs } = approval;
  const [run] = runs;
  const at = clock();
  const common = { teamId, id: run.id, outcome, stopReason, createdId, taskId, at };
  if (to === 'waiting') return waitingOf(approval, bind(approval), { outcome, at }, timings);
  if (to === 'running') {
    const sent = run.sent.filter(({ attempt }) => attempt !== run.attempts);
    const attempt = { step: run.step, attempt: run.attempts, taskId };
    return {
      ...common,
      to,
      sent: [...sent, attempt],
      wakeAt: addMilliseconds(at, timings.checkMs),
    };
  }
  if (to === 'outcome_unknown') {
    return { ...common, to, wakeAt: addMilliseconds(at, timings.checkMs) };
  }
  if (to !== 'completed') return { ...common, to };
  const action = bind(approval);
  if (isCancelStep(action, run.step)) return { ...common, to: 'canceled' };
  const next = stepAfter(action, run.step);
  if (!next) {
    const { followUpMs } = stepOf(action, run.step);
    const wakeAt = followUpMs === undefined ? undefined : addMilliseconds(at, followUpMs);
    return { ...common, to, wakeAt };
  }
  const wakeAt = addMilliseconds(at, next.afterMs);
  return { ...common, to: 'scheduled', step: next.name, wakeAt };
}

/**
 * A step that can't be sent now is tried again, with growing waits, for at most `maxBusyMs` after its
 * first attempt that couldn't be sent: it may have been due long before that, while Belay was down. If an
 * earlier attempt may have been sent, its outcome stays unknown meanwhile.
 */
function waitingOf(
  approval: Approval,
  action: Action,
  { outcome, at }: { outcome: string; at: Date },
  { busyMs, maxBusyMs }: Timings,
): Ending {
  const { teamId, runs } = approval;
  const [run] = runs;
  const { id, step, attempts, sent, waitingSince = at } = run;
  const common = { teamId, id, at, waitingSince, stopReason: 'busy' as const };
  const isSent = mayHaveSent(run, step, attempts - 1);
  const waitedMs = at.getTime() - waitingSince.getTime();
  if (waitedMs >= maxBusyMs) {
    const words = `${outcome} Belay waited for ${Math.round(waitedMs / 60_000)} minutes.`;
    if (isSent) return { ...common, to: 'outcome_unknown', outcome: words };
    return {
      ...common,
      to: 'failed',
      outcome: stepsBefore(action, step).length > 0 ? words : `${words} Nothing was changed.`,
    };
  }
  const wakeAt = addMilliseconds(
    at,
    Math.min(Math.max(busyMs, waitedMs / 2), maxBusyMs - waitedMs),
  );
  if (isSent) return { ...common, to: 'outcome_unknown', outcome, wakeAt };
  return { ...common, to: 'approved', outcome, sent, wakeAt };
}
