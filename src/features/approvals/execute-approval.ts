import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../dataprotection/errors.ts';
import type { Logger } from '../../logger.ts';
import type { Person } from '../../slack/person.ts';
import type { OpenService, WorkspaceSettings } from '../workspaces/workspaces.ts';
import type { BindAction } from './approvable-action.ts';
import type { Approval } from './approval.ts';
import type { ApprovalStore, Ending } from './approval-store.ts';
import { mayDecide } from './approver.ts';

export type ExecuteDependencies = {
  store: Pick<ApprovalStore, 'begin' | 'finish'>;
  bind: BindAction;
  openService: OpenService;
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  describeFailure: (error: unknown) => string;
  clock: Clock;
  log: Logger;
};

/** Carries out an approved request. Undefined when it was not approved, or another call has begun. */
export async function executeApproval(
  approval: Approval,
  dependencies: ExecuteDependencies,
): Promise<Approval | undefined> {
  const { store, clock } = dependencies;
  const begun = await store.begin(approval);
  if (!begun) return undefined;
  const ending = await carryOut(begun, dependencies);
  return store.finish({ teamId: begun.teamId, id: begun.id, ...ending, at: clock() });
}

type Outcome = Pick<Ending, 'to' | 'outcome'>;

async function carryOut(approval: Approval, dependencies: ExecuteDependencies): Promise<Outcome> {
  const { bind, openService, describeFailure, log } = dependencies;
  try {
    if (!(await approverStillMay(approval, dependencies))) {
      return failed('The person who approved it may no longer decide. Please ask again.');
    }
    const service = await openService(approval.teamId);
    if (service?.connectionId !== approval.connectionId) {
      return failed('The connection to the service has changed since. Please ask again.');
    }
    const action = bind(approval);
    if (await action.isDone(service.client)) {
      return { to: 'succeeded', outcome: 'It was so already.' };
    }
    await action.execute(service.client);
    return { to: 'succeeded', outcome: '' };
  } catch (error) {
    log.error({ approvalId: approval.id, err: error }, 'an approved action failed');
    const isUnknown = error instanceof ServiceError && error.mayHaveActed;
    const words = `${describeFailure(error)} Reference: ${approval.id.slice(0, 8)}.`;
    return { to: isUnknown ? 'outcome_unknown' : 'failed', outcome: words };
  }
}

async function approverStillMay(
  { teamId, decidedBy }: Approval,
  { readPerson, readSettings }: ExecuteDependencies,
): Promise<boolean> {
  if (!decidedBy) return false;
  const [person, settings] = await Promise.all([
    readPerson(teamId, decidedBy),
    readSettings(teamId),
  ]);
  return mayDecide(person, settings.approvers);
}

function failed(outcome: string): Outcome {
  return { to: 'failed', outcome };
}
