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
  const { teamId, id } = approval;
  const begun = await store.begin({ teamId, id, at: clock() });
  if (!begun) return undefined;
  const ending = await carryOut(begun, dependencies);
  return store.finish({ teamId, id, ...ending, at: clock() });
}

type Outcome = Pick<Ending, 'to' | 'outcome'>;

async function carryOut(approval: Approval, dependencies: ExecuteDependencies): Promise<Outcome> {
  const { bind, openService, describeFailure, log } = dependencies;
  let hasBegun = false;
  try {
    const objection = await objectionTo(approval, dependencies);
    if (objection) return { to: 'failed', outcome: objection };
    const service = await openService(approval.teamId);
    if (service?.connectionId !== approval.connectionId) {
      const outcome = 'The connection to the service has changed since. Please ask again.';
      return { to: 'failed', outcome };
    }
    const action = bind(approval);
    if (await action.isDone(service.client)) {
      return { to: 'succeeded', outcome: 'It was so already.' };
    }
    hasBegun = true;
    await action.execute(service.client);
    return { to: 'succeeded', outcome: '' };
  } catch (error) {
    log.error({ approvalId: approval.id, err: error }, 'an approved action failed');
    // A service error knows whether it may have acted; nothing else that comes after the start does.
    const isUnknown = error instanceof ServiceError ? error.mayHaveActed : hasBegun;
    const words = `${describeFailure(error)} Reference: ${approval.id.slice(0, 8)}.`;
    return { to: isUnknown ? 'outcome_unknown' : 'failed', outcome: words };
  }
}

/** Why it must not be carried out any more, as things are now. */
async function objectionTo(
  { teamId, requester, decidedBy = '' }: Approval,
  { readPerson, readSettings }: ExecuteDependencies,
): Promise<string | undefined> {
  const [asker, approver, { approvers }] = await Promise.all([
    readPerson(teamId, requester),
    readPerson(teamId, decidedBy),
    readSettings(teamId),
  ]);
  if (asker.standing !== 'member') {
    return 'The person who asked for it is no longer a full member of this workspace.';
  }
  if (!mayDecide(approver, approvers)) {
    return 'The person who approved it may no longer decide. Please ask again.';
  }
  return undefined;
}
