import { ServiceError } from '../../dataprotection/http/errors.ts';
import type { Logger } from '../../logger.ts';
import type { Person } from '../../slack/api/person.ts';
import type { OpenService, Service, WorkspaceSettings } from '../workspaces/index.ts';
import { mayDecide } from '../workspaces/index.ts';
import type { Approval } from './approval.ts';
import type { ApprovalStore, Objection, Outcome } from './approval-store.ts';
import {
  type BindAction,
  type BoundAction,
  type BoundStep,
  stepOf,
  stepsBefore,
} from './bind-action.ts';
import { hashSnapshot } from './snapshot-hash.ts';
import { subjectRefusal } from './subject-refusal.ts';
import { maxAttempts } from './timings.ts';

export type RunStepDependencies = {
  store: Pick<ApprovalStore, 'subjectsUnderWay'>;
  bind: BindAction;
  openService: OpenService;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  /** What happened and what it means, or the first alone while Belay itself finds out the second. */
  describeFailure: (error: unknown) => string;
  describeCause: (error: unknown) => string;
  log: Logger;
};

/**
 * Carries out the step that a request has come to, unless it is done already, or something speaks
 * against it by now. `mayAct` is asked last: false when someone else has taken over, and then there
 * is no outcome to record.
 */
export async function runStep(
  approval: Approval,
  dependencies: RunStepDependencies & { mayAct: () => Promise<boolean> },
): Promise<Outcome | undefined> {
  const { bind, openService, describeFailure, describeCause, log, mayAct } = dependencies;
  let hasBegun = false;
  let describe = describeFailure;
  try {
    const action = bind(approval);
    const step = stepOf(action, approval.step);
    // That nothing was changed is true of a first step alone.
    if (stepsBefore(action, step.name).length > 0) describe = describeCause;
    const service = await openService(approval.teamId);
    if (service?.connectionId !== approval.connectionId) {
      const outcome = 'The connection to the service has changed since. Please ask again.';
      return { to: 'failed', outcome, objection: 'connection' };
    }
    if (await step.isDone(service.client)) {
      const isOwnWork = approval.attempts > 1 || approval.canceledBy !== undefined;
      const objection =
        step.mustBeOurs && !isOwnWork
          ? await objectionOfSubject(approval, { action, step, service }, dependencies)
          : undefined;
      if (objection) return objection;
      return { to: 'succeeded', outcome: isOwnWork ? '' : 'It was so already.' };
    }
    if (approval.snapshot === undefined) {
      return { to: 'voided', outcome: 'It was asked of an older Belay.' };
    }
    const objection =
      (await objectionOfPeople(approval, action, dependencies)) ??
      (await objectionOfSubject(approval, { action, step, service }, dependencies));
    if (objection) return objection;
    if (!(await mayAct())) return undefined;
    hasBegun = true;
    await step.execute(service.client);
    return { to: 'succeeded', outcome: '' };
  } catch (error) {
    log.error({ approvalId: approval.id, err: error }, 'an approved action failed');
    // A service error knows whether it may have acted; nothing else that comes after the start does.
    const isUnknown = error instanceof ServiceError ? error.mayHaveActed : hasBegun;
    if (!isUnknown && !hasBegun && deservesAnotherTry(error, approval)) {
      return { to: 'outcome_unknown', outcome: describeCause(error) };
    }
    const words = isUnknown ? describeCause(error) : describe(error);
    const outcome = `${words} Reference: ${approval.id.slice(0, 8)}.`;
    return { to: isUnknown ? 'outcome_unknown' : 'failed', outcome };
  }
}

/**
 * Nothing was sent, and what failed was Slack or the database, which says nothing against the
 * request; or it is about taking back, which must not fail for a passing reason.
 */
function deservesAnotherTry(error: unknown, { attempts, canceledBy }: Approval): boolean {
  return attempts < maxAttempts && (canceledBy !== undefined || !(error instanceof ServiceError));
}

const outOfSight =
  'Belay cannot see it any more: somebody else deleted it, or moved it to another unit.';

/** Why it must not be carried out any more, as the people stand now. */
async function objectionOfPeople(
  { teamId, requester, decidedBy = '', snapshot, canceledBy }: Approval,
  action: BoundAction,
  { readPerson, readSettings }: RunStepDependencies,
): Promise<Outcome | undefined> {
  // Taking back is for the safe side, and whoever asked for it was looked at when they did.
  if (canceledBy !== undefined) return undefined;
  const [requestedBy, approver, { approvers }] = await Promise.all([
    readPerson(teamId, requester),
    readPerson(teamId, decidedBy),
    readSettings(teamId),
  ]);
  if (requestedBy.membership !== 'member') {
    return failed(
      'asker',
      'The person who asked for it is no longer a full member of this workspace.',
    );
  }
  if (!mayDecide(approver, approvers)) {
    return failed('approver', 'The person who approved it may no longer decide. Please ask again.');
  }
  const refusal = [requestedBy, approver]
    .map((person) => subjectRefusal(action.isSubject(snapshot, person), person))
    .find((one) => one !== undefined);
  return refusal === undefined ? undefined : failed('guard', refusal);
}

/** Why not, as the subject is now: it has changed since it was shown, or a guard stands before it. */
async function objectionOfSubject(
  approval: Approval,
  { action, step, service }: { action: BoundAction; step: BoundStep; service: Service },
  { store }: RunStepDependencies,
): Promise<Outcome | undefined> {
  if (approval.canceledBy !== undefined) return undefined;
  const now = await action.look(service.client);
  if (!now) return { to: 'voided', outcome: outOfSight, objection: 'gone' };
  const expected = step.expects(approval.snapshot);
  if (hashSnapshot(now.snapshot) !== hashSnapshot(expected)) {
    const outcome = action.differences(expected, now.snapshot).join(' ');
    return { to: 'voided', outcome, objection: 'subject_changed' };
  }
  const subjectsUnderWay = await store.subjectsUnderWay(approval);
  const { client, tokenOwner } = service;
  const checks = await action.checks(now.snapshot, { client, tokenOwner, subjectsUnderWay });
  const refused = checks.find(({ result }) => result === 'refused');
  return refused && failed('guard', refused.detail ?? `${refused.label}: no.`);
}

function failed(objection: Objection, outcome: string): Outcome {
  return { to: 'failed', outcome, objection };
}
