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

export type RequestRefusal =
  | { result: 'not-operator'; why: string }
  /** Why each approver can't decide: mrkdwn. */
  | { result: 'no-approver'; reasons: string[] }
  | ({ result: 'too-few-approvers'; required: number } & TooFewApprovers)
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
  adminDirectory: AdminDirectory;
  log: Logger;
};

/** The checks that approvers see, or why the request can't be made now. `id`: of the request. */
export async function checkRequest(
  input: PlannedRequest & { id: string; prepared: PreparedAction },
  dependencies: CheckRequestDependencies,
): Promise<{ checks: Check[] } | { refusal: RequestRefusal }> {
  const { teamId, id, requester, settings, prepared } = input;
  const { action, subject, target } = prepared;
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return { refusal: { result: 'not-operator', why: lost } };
  const isSubject = (person: Person) => action.isSubject(subject.snapshot, person);
  const why = subjectRefusal(isSubject(requester), requester);
  if (why) return { refusal: { result: 'guarded', guard: guards.notRequester.id, why } };
  const approvers = action.approvers(settings.approvers);
  const required = action.requiredApprovals(settings);
  const [{ checks, refused }, refusal] = await Promise.all([
    runGuards(subject, { teamId, id, connectionId: target.connectionId }, dependencies),
    checkApprovers({ ...input, approvers, required, isSubject }, dependencies),
  ]);
  if (refused) return { refusal: { result: 'guarded', ...refused } };
  return refusal ? { refusal } : { checks };
}

/** Undefined if enough people could approve. */
export async function checkApprovers(
  input: PlannedRequest & {
    approvers: string[];
    required: number;
    isSubject: (person: Person) => 'no' | 'yes' | 'unknown';
  },
  { readPerson, listMembers, adminDirectory, log }: CheckRequestDependencies,
): Promise<RequestRefusal | undefined> {
  const { teamId, slack, requester, approvers, required, isSubject } = input;
  const tooFew = await refuseApprovers({
    ...{ requester, approvers, required, isSubject, log },
    readPerson: (slackUserId) => readPerson(teamId, slackUserId),
    listMembers: (ids) => listMembers(slack, ids),
    readAdmins: (options) => adminDirectory.read(slack, options),
  });
  if (tooFew?.able.length === 0) return { result: 'no-approver', reasons: tooFew.reasons };
  return tooFew && { result: 'too-few-approvers', required, ...tooFew };
}
