import { stopReasons } from '../../audit-log/registry.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import type { Logger } from '../../logger.ts';
import type { Person } from '../../slack/api/person.ts';
import { mayDecide, type WorkspaceSettings } from '../workspaces/index.ts';
import type { Openers } from './approvable-action.ts';
import type { Approval, Outcome } from './approval.ts';
import type { BindAction } from './bind-action.ts';
import {
  type BoundAction,
  type BoundStep,
  hashSnapshot,
  type OpenedAction,
  stepOf,
  stepsBefore,
} from './bound-action.ts';
import { type GuardDependencies, runGuards, subjectRefusal } from './guards.ts';
import { maxAttempts } from './timings.ts';

export type RunStepDependencies = GuardDependencies &
  Openers & {
    bind: BindAction;
    readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
    readSettings: (teamId: string) => Promise<WorkspaceSettings>;
    /** What failed and whether anything changed; `describeCause` says only what failed. */
    describeFailure: (error: unknown) => string;
    describeCause: (error: unknown) => string;
    log: Logger;
  };

type Run = { action: BoundAction; step: BoundStep; opened: OpenedAction };

/**
 * Runs the current step of a request, unless it is done already, or a person's rights, a change
 * of the subject or a guard stop it. `mayAct` is called last: when it resolves to false,
 * another process has taken over, and there is no outcome to record.
 */
export async function runStep(
  approval: Approval,
  dependencies: RunStepDependencies & { mayAct: () => Promise<boolean> },
): Promise<Outcome | undefined> {
  const { bind, describeFailure, describeCause, log, mayAct } = dependencies;
  let hasStarted = false;
  let describe = describeFailure;
  try {
    const action = bind(approval);
    const step = stepOf(action, approval.step);
    // "Nothing was changed" is only true of a first step.
    if (stepsBefore(action, step.name).length > 0) describe = describeCause;
    const opened = await action.open(dependencies, approval);
    if (!opened) {
      return failed(
        stopReasons.connectionMismatch.id,
        'The connection to the service has changed since. Please ask again.',
      );
    }
    const run = { action, step, opened };
    if (await opened.isDone(step)) {
      const isOwnWork = approval.attempts > 1 || approval.canceledBy !== undefined;
      const stopped =
        step.mustBeOurs && !isOwnWork ? await checkSubject(approval, run, dependencies) : undefined;
      if (stopped) return stopped;
      return { to: 'succeeded', outcome: isOwnWork ? '' : 'It was so already.' };
    }
    if (approval.snapshot === undefined) {
      return { to: 'voided', outcome: 'It was asked of an older Belay.' };
    }
    const stopped =
      (await checkPeople(approval, action, dependencies)) ??
      (await checkSubject(approval, run, dependencies));
    if (stopped) return stopped;
    if (!(await mayAct())) return undefined;
    hasStarted = true;
    await opened.run(step);
    return { to: 'succeeded', outcome: '' };
  } catch (error) {
    log.error({ approvalId: approval.id, err: error }, 'an approved action failed');
    // A service error knows whether the change may have been made; any other after the start doesn't.
    const isUnknown = error instanceof ServiceError ? error.mayHaveActed : hasStarted;
    if (!isUnknown && !hasStarted && canRetry(error, approval)) {
      return { to: 'outcome_unknown', outcome: describeCause(error) };
    }
    const words = isUnknown ? describeCause(error) : describe(error);
    const outcome = `${words} Reference: ${approval.id.slice(0, 8)}.`;
    return { to: isUnknown ? 'outcome_unknown' : 'failed', outcome };
  }
}

/**
 * Nothing was sent. A failure of Slack or the database is no reason to fail the request, and
 * canceling must not fail for a temporary reason.
 */
function canRetry(error: unknown, { attempts, canceledBy }: Approval): boolean {
  return attempts < maxAttempts && (canceledBy !== undefined || !(error instanceof ServiceError));
}

/** Stops a step when the requester or the approver have lost their rights, or are the subject. */
async function checkPeople(
  { teamId, requester, decidedBy = '', snapshot, canceledBy }: Approval,
  action: BoundAction,
  { readPerson, readSettings }: RunStepDependencies,
): Promise<Outcome | undefined> {
  // The person who canceled was checked at the click.
  if (canceledBy !== undefined) return undefined;
  const [requestedBy, approver, { approvers }] = await Promise.all([
    readPerson(teamId, requester),
    readPerson(teamId, decidedBy),
    readSettings(teamId),
  ]);
  if (requestedBy.membership !== 'member') {
    return failed(
      stopReasons.requesterNotMember.id,
      'The person who asked for it is no longer a full member of this workspace.',
    );
  }
  if (!mayDecide(approver, action.approvers(approvers))) {
    return failed(
      stopReasons.approverNotAllowed.id,
      'The person who approved it may no longer decide. Please ask again.',
    );
  }
  const refusal = [requestedBy, approver]
    .map((person) => subjectRefusal(action.isSubject(snapshot, person), person))
    .find((one) => one !== undefined);
  return refusal === undefined ? undefined : failed(stopReasons.guardRefused.id, refusal);
}

/** Stops a step when the subject has changed since the request, or a guard refuses. */
async function checkSubject(
  approval: Approval,
  { action, step, opened }: Run,
  dependencies: RunStepDependencies,
): Promise<Outcome | undefined> {
  if (approval.canceledBy !== undefined) return undefined;
  const subject = await opened.find();
  if (!subject) {
    const outcome =
      'Belay cannot see it any more: somebody else deleted it, or moved it to another unit.';
    return { to: 'voided', outcome, stopReason: stopReasons.subjectGone.id };
  }
  const expected = step.expects(approval.snapshot);
  if (hashSnapshot(subject.snapshot) !== hashSnapshot(expected)) {
    const outcome = action.differences(expected, subject.snapshot).join(' ');
    return { to: 'voided', outcome, stopReason: stopReasons.subjectChanged.id };
  }
  const { refused } = await runGuards(subject, approval, dependencies);
  return refused && failed(stopReasons.guardRefused.id, refused.why);
}

function failed(stopReason: Outcome['stopReason'], outcome: string): Outcome {
  return { to: 'failed', outcome, stopReason };
}
