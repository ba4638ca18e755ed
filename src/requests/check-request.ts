import type { GuardId } from '../audit-log/registry.ts';
import type { Logger } from '../logger.ts';
import type { Admins } from '../slack/api/list-admins.ts';
import type { Person } from '../slack/api/person.ts';
import type { SlackClient } from '../slack/api/slack-client.ts';
import type { Interaction } from '../slack/interactions/interaction.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Action, Check } from './action.ts';
import type { PreparedAction } from './define-action.ts';
import { requesterCheck, runGuards, subjectRefusal } from './guards.ts';
import type { RequestContext } from './request-context.ts';
import { findShortfall, type Shortfall, type ShortfallQuestion } from './rules/find-shortfall.ts';
import { namesApprovers } from './rules/match-approvals.ts';
import { type Requirements, requirementsOf } from './rules/requirements.ts';

export type RequestRefusal =
  | { result: 'not_operator'; why: string }
  /** Why each approver can't decide: mrkdwn. */
  | { result: 'no_approver'; reasons: string[] }
  | {
      result: 'too_few_approvers';
      required: number;
      /** Slack user ids. */
      able: string[];
      reasons: string[];
    }
  /** The rule of the action can't be met now: what is missing. */
  | { result: 'rule_unmet'; shortfall: Shortfall[] }
  /** Only of a run without approval. */
  | {
      result:
        | 'break_glass_not_allowed'
        | 'requester_not_allowed'
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

/**
 * The part of an interaction that a request is checked with. The command line has no interaction and passes
 * these fields itself.
 */
export type RequestingCall = Pick<Interaction, 'teamId' | 'person' | 'slack' | 'settings'>;

export async function plannedBy(call: RequestingCall): Promise<PlannedRequest> {
  const { teamId, person: requester, slack } = call;
  return { teamId, requester, slack, settings: await call.settings() };
}

/** `id`: of the request. */
export type PreparedRequest = PlannedRequest & { id: string; prepared: PreparedAction };

/** The checks that approvers see and what the request needs, or why it can't be made now. */
export async function checkRequest(
  input: PreparedRequest,
  context: RequestContext,
): Promise<{ checks: Check[]; requirements: Requirements } | { refusal: RequestRefusal }> {
  const { requester, settings, prepared } = input;
  const { action } = prepared;
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return { refusal: { result: 'not_operator', why: lost } };
  const why = subjectRefusal(action.isSubject(requester), requester);
  if (why) return { refusal: { result: 'guarded', guard: 'requester_is_subject', why } };
  const requirements = requirementsFor(prepared, settings);
  const [{ checks, refused }, refusal] = await Promise.all([
    checkGuards(input, context),
    checkApprovers({ ...input, ...requirements, isSubject: action.isSubject }, context),
  ]);
  if (refused) return { refusal: { result: 'guarded', ...refused } };
  return refusal ? { refusal } : { checks, requirements };
}

/** What a request for the action needs now. */
export function requirementsFor(
  { name, action }: PreparedAction,
  settings: WorkspaceSettings,
): Requirements {
  const approvers = action.approvers(settings.approvers);
  return requirementsOf(name, { ...settings, approvers }, action.requiredApprovals(settings));
}

/** Runs the guards for somebody who isn't the subject, which is the first of the checks. */
export async function checkGuards(
  { teamId, id, settings, prepared: { action, subject, target } }: PreparedRequest,
  { store }: RequestContext,
) {
  const { connectionId } = target;
  const subjectsUnderWay = await store.subjectsUnderWay({ teamId, id, connectionId });
  const { checks, refused } = await runGuards(subject, { settings, subjectsUnderWay });
  return { checks: action.isAboutPerson ? [requesterCheck, ...checks] : checks, refused };
}

/** Undefined if enough people could approve. */
export async function checkApprovers(
  input: PlannedRequest &
    Requirements & {
      isSubject: Action['isSubject'];
    },
  { readPerson, listMembers, adminDirectory, log }: RequestContext,
): Promise<RequestRefusal | undefined> {
  const { teamId, slack, requester, needed, approvers, isSubject } = input;
  const question = {
    needed,
    requester,
    isSubject,
    readPerson: (slackUserId: string) => readPerson(teamId, slackUserId),
    listMembers: (ids: string[]) => listMembers(slack, ids),
  };
  const shortfall =
    approvers.length > 0
      ? await findShortfall(question)
      : await findMissingAdmins(question, (options) => adminDirectory.read(slack, options), log);
  const [missing] = shortfall;
  if (!missing) return undefined;
  if (namesApprovers(input)) return { result: 'rule_unmet', shortfall };
  const { able, reasons, count: required } = missing;
  return able.length === 0
    ? { result: 'no_approver', reasons }
    : { result: 'too_few_approvers', required, able, reasons };
}

/**
 * The same for the admins, who decide if no approvers are named. Those on the list of a minute ago are
 * enough if Slack confirms them; a new list is read before all are refused. What Slack can't tell
 * counts as able to approve.
 */
async function findMissingAdmins(
  question: ShortfallQuestion,
  readAdmins: (options: { isFresh: boolean }) => Promise<Admins>,
  log: Logger,
): Promise<Shortfall[]> {
  const missingAmong = (people: Person[], readPerson: ShortfallQuestion['readPerson']) => {
    const members = { people: people.map(({ slackUserId }) => slackUserId), unread: [] };
    return findShortfall({ ...question, readPerson, listMembers: async () => members });
  };
  try {
    const known = await readAdmins({ isFresh: false });
    const confirmed = await missingAmong(known.people, async (id) => {
      const person = await question.readPerson(id);
      // Its reason isn't shown: the new list is read then.
      return person.isAdmin ? person : { ...person, membership: 'guest' };
    });
    if (confirmed.length === 0) return [];
    const { people, isComplete } = await readAdmins({ isFresh: true });
    if (!isComplete || people.length === 0) return [];
    const byId = new Map(people.map((person) => [person.slackUserId, person]));
    return await missingAmong(people, async (id) => byId.get(id) ?? question.readPerson(id));
  } catch (error) {
    log.warn({ err: error }, 'the admins of a workspace could not be listed');
    return [];
  }
}
