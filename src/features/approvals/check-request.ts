import { type GuardId, guards } from '../../audit-log/registry.ts';
import type { Logger } from '../../logger.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import type { Person } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Access } from '../access/index.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type { Check } from './approvable-action.ts';
import type { PreparedAction } from './bind-action.ts';
import { type GuardDependencies, runGuards, subjectRefusal } from './guards.ts';
import { refuseApprovers, type TooFewApprovers } from './people/refuse-approvers.ts';
import { findShortfall, type Shortfall } from './rules/find-shortfall.ts';
import { reasonProblem } from './rules/reason-format.ts';
import { type Requirements, requirementsOf } from './rules/requirements.ts';

export type RequestRefusal =
  | { result: 'not-operator'; why: string }
  /** Why each approver can't decide: mrkdwn. */
  | { result: 'no-approver'; reasons: string[] }
  | ({ result: 'too-few-approvers'; required: number } & TooFewApprovers)
  /** The rule of the action can't be met now: what is missing. */
  | { result: 'rule-unmet'; shortfall: Shortfall[] }
  | { result: 'reason-format'; why: string }
  /** Only of a run without approval. */
  | {
      result:
        | 'not-break-glass'
        | 'address-missing'
        | 'check-not-made'
        | 'not-announced'
        | 'too-many';
      why: string;
    }
  | { result: 'guarded'; guard: GuardId; why: string };

export type PlannedRequest = {
  teamId: string;
  requester: Person;
  settings: WorkspaceSettings;
  slack: SlackClient;
};

export type CheckRequestDependencies = GuardDependencies & {
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  listMembers: Access['listMembers'];
  listStandIns: Access['listStandIns'];
  adminDirectory: AdminDirectory;
  log: Logger;
};

/**
 * The checks that approvers see and what the request needs, or why it can't be made now. `id`: of the
 * request. `reason`: undefined before it is written.
 */
export async function checkRequest(
  input: PlannedRequest & { id: string; prepared: PreparedAction; reason?: string },
  dependencies: CheckRequestDependencies,
): Promise<{ checks: Check[]; requirements: Requirements } | { refusal: RequestRefusal }> {
  const { teamId, id, requester, settings, prepared, reason } = input;
  const { name, action, subject, target } = prepared;
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return { refusal: { result: 'not-operator', why: lost } };
  const isSubject = (person: Person) => action.isSubject(subject.snapshot, person);
  const why = subjectRefusal(isSubject(requester), requester);
  if (why) return { refusal: { result: 'guarded', guard: guards.notRequester.id, why } };
  const approvers = action.approvers(settings.approvers);
  const least = action.requiredApprovals(settings);
  const requirements = requirementsOf(name, { ...settings, approvers }, least);
  const problem =
    reason === undefined ? undefined : reasonProblem(reason, requirements.rule?.reasonFormat);
  if (problem) return { refusal: { result: 'reason-format', why: problem } };
  const [{ checks, refused }, refusal] = await Promise.all([
    runGuards(subject, { teamId, id, connectionId: target.connectionId, settings }, dependencies),
    checkApprovers({ ...input, ...requirements, isSubject }, dependencies),
  ]);
  if (refused) return { refusal: { result: 'guarded', ...refused } };
  return refusal ? { refusal } : { checks, requirements };
}

/** Undefined if enough people could approve. */
export async function checkApprovers(
  input: PlannedRequest &
    Pick<Requirements, 'needed' | 'approvers' | 'requiredApprovals'> & {
      isSubject: (person: Person) => 'no' | 'yes' | 'unknown';
    },
  { readPerson, listMembers, adminDirectory, log }: CheckRequestDependencies,
): Promise<RequestRefusal | undefined> {
  const { teamId, slack, requester, needed, approvers, isSubject } = input;
  const { requiredApprovals: required } = input;
  const people = {
    requester,
    isSubject,
    readPerson: (slackUserId: string) => readPerson(teamId, slackUserId),
    listMembers: (ids: string[]) => listMembers(slack, ids),
  };
  if (needed.length > 0) {
    const shortfall = await findShortfall({ ...people, needed });
    return shortfall.length > 0 ? { result: 'rule-unmet', shortfall } : undefined;
  }
  const tooFew = await refuseApprovers({
    ...people,
    approvers,
    required,
    log,
    readAdmins: (options) => adminDirectory.read(slack, options),
  });
  if (tooFew?.able.length === 0) return { result: 'no-approver', reasons: tooFew.reasons };
  return tooFew && { result: 'too-few-approvers', required, ...tooFew };
}
