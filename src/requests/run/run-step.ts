import { limitClient } from '../../dataprotection/client.ts';
import { NotFoundError, ServiceError } from '../../dataprotection/http/errors.ts';
import { describeCause, describeFailure } from '../../describe-failure.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action, ActionStep, OpenedAction, Openers, RunResult, StepDone } from '../action.ts';
import { stepOf, stepsBefore } from '../action-steps.ts';
import {
  type Approval,
  findSent,
  mayHaveSent,
  type Outcome,
  type Run,
  referenceOf,
} from '../approval.ts';
import { hashSnapshot } from '../define-action.ts';
import { runGuards } from '../guards.ts';
import type { RequestContext } from '../request-context.ts';
import { maxAttempts, type Timings } from '../timings.ts';
import { checkPeople, failed } from './check-people.ts';
import type { LeaseTerm } from './lease-term.ts';

type OpenedRun = {
  action: Action;
  step: ActionStep;
  opened: OpenedAction;
  /** Opens the action once more, to read the subject anew. */
  open: () => Promise<OpenedAction | undefined>;
};

/** What ends the right to run the step, and the record that its change may have been sent. */
type RunLimits = { term: LeaseTerm; markSent: () => Promise<unknown>; timings: Timings };

const sentBefore = "Belay may already have sent the change and didn't send it again.";

/**
 * Runs the current step of a request, unless it is done already, or a person's rights, a change
 * of the subject or a guard stop it. Undefined when the lease ended: there is no outcome to record,
 * because another process finds out or takes over.
 */
export async function runStep(
  approval: Approval,
  context: RequestContext & RunLimits,
): Promise<Outcome | undefined> {
  const { bind, log, term, markSent } = context;
  const [stored] = approval.runs;
  let hasStarted = false;
  let describe = describeFailure;
  try {
    const action = bind(approval);
    const step = stepOf(action, stored.step);
    // "Nothing was changed" is only true of a first step.
    if (stepsBefore(action, step.name).length > 0) describe = describeCause;
    const openers = withLimits(context, term);
    const open = () => action.open(openers, approval);
    const opened = await open();
    if (!opened) {
      return failed(
        'connection_mismatch',
        'The connection to the service has changed. Submit the request again.',
      );
    }
    const run = { action, step, opened, open };
    const progress = await opened.progressOf(step, findSent(stored, stored.attempts - 1));
    if (progress.state === 'done') {
      return await outcomeWhenDone(approval, run, progress, context);
    }
    if (progress.state === 'busy') return { to: 'waiting', outcome: progress.words };
    if (progress.state === 'failed') return { to: 'failed', outcome: progress.words };
    if (progress.state === 'in-progress') return { to: 'outcome_unknown', outcome: progress.words };
    if (step.sendsOnce && mayHaveSent(stored, step.name, stored.attempts - 1)) {
      return { to: 'outcome_unknown', outcome: sentBefore };
    }
    const settings = await context.readSettings(approval.teamId);
    const stopped =
      checkShown(stored, action) ??
      (await checkPeople(approval, action, { ...context, settings })) ??
      (await checkSubject(approval, run, settings, context));
    if (stopped) return stopped;
    await markSent();
    if (!term.isHeld()) throw term.signal.reason;
    hasStarted = true;
    return await makeChange(approval, run, context);
  } catch (error) {
    if (term.signal.aborted) {
      log.warn({ approvalId: approval.id, hasStarted }, 'a step stopped because its lease ended');
      return undefined;
    }
    log.error({ approvalId: approval.id, err: error }, 'an approved action failed');
    // A service error knows whether the change may have been made; any other after the start doesn't.
    const isUnknown = error instanceof ServiceError ? error.mayHaveActed : hasStarted;
    if (!isUnknown && !hasStarted && canRetry(error, stored)) {
      return { to: 'outcome_unknown', outcome: describeCause(error) };
    }
    const words = isUnknown ? describeCause(error) : describe(error);
    const outcome = `${words} Reference ${referenceOf(approval)}.`;
    return { to: isUnknown ? 'outcome_unknown' : 'failed', outcome };
  }
}

/** Ends calls to the service with the lease, and none begins after it. */
function withLimits(openers: Openers, term: LeaseTerm): Openers {
  const limits = { signal: term.signal, beforeSend: () => void term.isHeld() };
  const openService: OpenService = async (teamId, which) => {
    const service = await openers.openService(teamId, which);
    return service && { ...service, client: limitClient(service.client, limits) };
  };
  return { ...openers, openService };
}

async function makeChange(
  approval: Approval,
  run: OpenedRun,
  context: RequestContext & Pick<RunLimits, 'timings'>,
): Promise<Outcome> {
  const { step, opened, open } = run;
  const { followEveryMs: everyMs, followMs: timeoutMs } = context.timings;
  try {
    return outcomeOf(await opened.run(step, { everyMs, timeoutMs }));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // As wanted, if the step was to delete it; but a request that finds nothing did not do that.
    const again = await open();
    const progress = await again?.progressOf(step);
    if (!again || progress?.state !== 'done') throw error;
    return outcomeWhenDone(approval, { ...run, opened: again }, progress, context);
  }
}

function outcomeOf(result: RunResult): Outcome {
  switch (result.state) {
    case 'done': {
      const { words = '', createdId } = result;
      return { to: 'completed', outcome: words, createdId };
    }
    case 'accepted':
      return { to: 'running', outcome: result.words, taskId: result.taskId };
    case 'busy':
      return { to: 'waiting', outcome: result.words };
    case 'changed':
      return { to: 'voided', outcome: result.words, stopReason: 'subject_changed' };
    case 'failed':
      return { to: 'failed', outcome: result.words, stopReason: result.stopReason };
    case 'unknown':
      return { to: 'outcome_unknown', outcome: result.words };
  }
}

/** The outcome of a step that is done before this attempt changed anything. */
async function outcomeWhenDone(
  approval: Approval,
  run: OpenedRun,
  { words = '', createdId }: StepDone,
  context: RequestContext,
): Promise<Outcome> {
  const { step } = run;
  const [stored] = approval.runs;
  if (mayHaveSent(stored, step.name, stored.attempts - 1)) {
    return { to: 'completed', outcome: words, createdId };
  }
  const stopped = step.mustBeOurs
    ? await checkSubject(approval, run, await context.readSettings(approval.teamId), context)
    : await checkOthers(approval, step, context);
  return stopped ?? { to: 'completed', outcome: 'No change was needed.', stopReason: 'not_needed' };
}

/** Voids a request whose change is there only until another request is canceled. */
async function checkOthers(
  approval: Approval,
  { doneForNow }: ActionStep,
  { store, bind }: RequestContext,
): Promise<Outcome | undefined> {
  if (doneForNow === undefined) return undefined;
  const others = await store.findOthersStarted(approval);
  if (!others.some((other) => bind(other).cancellation)) return undefined;
  return { to: 'voided', outcome: doneForNow, stopReason: 'subject_changed' };
}

/**
 * Nothing was sent. A failure of Slack or the database is no reason to fail the request, and
 * canceling must not fail for a temporary reason.
 */
function canRetry(error: unknown, { attempts, canceledBy }: Run): boolean {
  return attempts < maxAttempts && (canceledBy !== undefined || !(error instanceof ServiceError));
}

/** Stops a step that would send anything but what approvers saw. */
function checkShown({ canceledBy }: Run, action: Action): Outcome | undefined {
  if (canceledBy !== undefined || action.isShownExactly()) return undefined;
  const outcome = "The request doesn't show exactly what would be sent. Submit the request again.";
  return { to: 'voided', outcome, stopReason: 'not_shown' };
}

/** Stops a step when the subject has changed since the request, or a guard refuses. */
async function checkSubject(
  approval: Approval,
  { action, step, opened }: OpenedRun,
  settings: WorkspaceSettings,
  { store }: RequestContext,
): Promise<Outcome | undefined> {
  const [run] = approval.runs;
  if (run.canceledBy !== undefined) return undefined;
  const subject = await opened.find();
  if (!subject) {
    const outcome =
      'The subject of this request was deleted by somebody else or moved to another organizational unit.';
    return { to: 'voided', outcome, stopReason: 'subject_not_found' };
  }
  const expected = step.expects(run.snapshot);
  if (hashSnapshot(subject.snapshot) !== hashSnapshot(expected)) {
    const outcome = action.differences(expected, subject.snapshot).join(' ');
    if (mayHaveSent(run, step.name, run.attempts - 1)) {
      return failed('not_verified', `Belay may have sent the change. ${outcome}`);
    }
    return { to: 'voided', outcome, stopReason: 'subject_changed' };
  }
  const { teamId, connectionId } = approval;
  const subjectsUnderWay = await store.subjectsUnderWay({ teamId, id: run.id, connectionId });
  const { refused } = await runGuards(subject, { settings, subjectsUnderWay, shown: run.checks });
  return refused && failed('guard_refused', refused.why);
}
