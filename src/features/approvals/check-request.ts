import { type GuardId, guards } from '../../audit-log/registry.ts';
import type { Logger } from '../../logger.ts';
import type { AdminDirectory, Admins } from '../../slack/api/list-admins.ts';
import { findMember, type Person } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Access, Members } from '../access/index.ts';
import { isUserGroup, type WorkspaceSettings } from '../workspaces/index.ts';
import type { Check } from './action.ts';
import type { PreparedAction } from './define-action.ts';
import {
  type GuardDependencies,
  missingAddressRefusal,
  runGuards,
  samePersonRefusal,
  subjectRefusal,
} from './guards.ts';
import { findShortfall, type Shortfall } from './rules/find-shortfall.ts';
import { type Requirements, requirementsOf } from './rules/requirements.ts';

export type RequestRefusal =
  | { result: 'not_operator'; why: string }
  /** Why each approver can't decide: mrkdwn. */
  | { result: 'no_approver'; reasons: string[] }
  | ({ result: 'too_few_approvers'; required: number } & TooFewApprovers)
  /** The rule of the action can't be met now: what is missing. */
  | { result: 'rule_unmet'; shortfall: Shortfall[] }
  /** Only of a run without approval. */
  | {
      result:
        | 'break_glass_not_allowed'
        | 'address_missing'
        | 'check_not_made'
        | 'not_announced'
        | 'limit_reached';
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
  input: PlannedRequest & { id: string; prepared: PreparedAction },
  dependencies: CheckRequestDependencies,
): Promise<{ checks: Check[]; requirements: Requirements } | { refusal: RequestRefusal }> {
  const { teamId, id, requester, settings, prepared } = input;
  const { name, action, subject, target } = prepared;
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return { refusal: { result: 'not_operator', why: lost } };
  const isSubject = (person: Person) => action.isSubject(subject.snapshot, person);
  const why = subjectRefusal(isSubject(requester), requester);
  if (why) return { refusal: { result: 'guarded', guard: guards.requesterIsSubject.id, why } };
  const approvers = action.approvers(settings.approvers);
  const least = action.requiredApprovals(settings);
  const requirements = requirementsOf(name, { ...settings, approvers }, least);
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
    return shortfall.length > 0 ? { result: 'rule_unmet', shortfall } : undefined;
  }
  const tooFew = await refuseApprovers({
    ...people,
    approvers,
    required,
    log,
    readAdmins: (options) => adminDirectory.read(slack, options),
  });
  if (tooFew?.able.length === 0) return { result: 'no_approver', reasons: tooFew.reasons };
  return tooFew && { result: 'too_few_approvers', required, ...tooFew };
}

type Question = {
  requester: Person;
  /** Ids of people and user groups; empty if the admins of the workspace decide. */
  approvers: string[];
  /** How many different people must approve. */
  required: number;
  isSubject: (person: Person) => 'no' | 'yes' | 'unknown';
  readPerson: (slackUserId: string) => Promise<Person>;
  listMembers: (ids: string[]) => Promise<Members>;
  readAdmins: (options: { isFresh: boolean }) => Promise<Admins>;
  log: Logger;
};

const maxLookedUp = 60;

/** Who could approve, and why the others can't: one sentence of mrkdwn for each. */
type TooFewApprovers = { able: string[]; reasons: string[] };

/**
 * Finds out whether too few people could approve a request; undefined if they are enough. Named
 * approvers and the members of named groups are looked up one by one until enough are found; in a
 * large group in which the first people can't approve, the others are assumed to.
 */
async function refuseApprovers(question: Question): Promise<TooFewApprovers | undefined> {
  const { requester, approvers, required } = question;
  const missing = missingAddressRefusal(requester);
  if (missing) return { able: [], reasons: [missing] };
  if (approvers.length === 0) return refuseAdmins(question);
  const able: Person[] = [];
  const reasons: string[] = [];
  const { people, unread } = await question.listMembers(approvers);
  for (const approver of people.slice(0, maxLookedUp)) {
    const person = await findMember(question.readPerson(approver));
    const reason = person
      ? refusePerson(person, question, able)
      : `${mention(approver)} is no longer a full member of this workspace.`;
    if (person && reason === undefined) able.push(person);
    else if (reason !== undefined) reasons.push(reason);
    if (able.length >= required) return undefined;
  }
  if (people.length > maxLookedUp) return undefined;
  const unknown = unread.map((id) => `Slack didn't return the members of ${mention(id)}.`);
  const isEmpty = people.length === 0 && unread.length === 0;
  const empty = isEmpty
    ? approvers.filter(isUserGroup).map((id) => `Nobody is in ${mention(id)}.`)
    : [];
  return { able: idsOf(able), reasons: [...reasons, ...unknown, ...empty] };
}

/**
 * The same for the admins, who decide if no approvers are named. Those on the list of a minute ago are
 * enough if Slack confirms them; a new list is read before all are refused. What Slack can't tell
 * counts as able to approve.
 */
async function refuseAdmins(question: Question): Promise<TooFewApprovers | undefined> {
  const { readAdmins, readPerson, required, log } = question;
  const areEnough = ({ able }: Sorted) => able.length >= required;
  try {
    const known = sort((await readAdmins({ isFresh: false })).people, question);
    if (areEnough(known)) {
      const likely = known.able.slice(0, required);
      const current = await Promise.all(likely.map(({ slackUserId }) => readPerson(slackUserId)));
      const admins = current.filter((one) => one.isAdmin && one.membership === 'member');
      if (areEnough(sort(admins, question))) return undefined;
    }
    const { people, isComplete } = await readAdmins({ isFresh: true });
    if (!isComplete || people.length === 0) return undefined;
    const found = sort(people, question);
    return areEnough(found) ? undefined : { ...found, able: idsOf(found.able) };
  } catch (error) {
    log.warn({ err: error }, 'the admins of a workspace could not be listed');
    return undefined;
  }
}

type Sorted = { able: Person[]; reasons: string[] };

function sort(people: Person[], question: Question): Sorted {
  const able: Person[] = [];
  const reasons: string[] = [];
  for (const person of people) {
    const reason = refusePerson(person, question, able);
    if (reason === undefined) able.push(person);
    else reasons.push(reason);
  }
  return { able, reasons };
}

/** `others` could approve as well: two accounts of one person count once. */
function refusePerson(
  person: Person,
  { requester, isSubject }: Question,
  others: Person[],
): string | undefined {
  const { slackUserId } = person;
  if (slackUserId === requester.slackUserId) return `${mention(slackUserId)} is the requester.`;
  return (
    subjectRefusal(isSubject(person), person) ??
    [requester, ...others]
      .map((other) => samePersonRefusal(other, person)?.why)
      .find((why) => why !== undefined)
  );
}

function idsOf(people: Person[]): string[] {
  return people.map(({ slackUserId }) => slackUserId);
}
