import { guards, refusals } from '../../../audit-log/registry.ts';
import type { Access } from '../../access/index.ts';
import type { Check } from '../approvable-action.ts';
import type { PreparedAction } from '../bind-action.ts';
import type { CheckRequestDependencies, PlannedRequest, RequestRefusal } from '../check-request.ts';
import { missingAddressRefusal, runGuards, subjectRefusal } from '../guards.ts';
import { reasonProblem } from '../rules/reason-format.ts';
import { type Requirements, requirementsOf } from '../rules/requirements.ts';
import { breakGlassRefusal } from './break-glass-right.ts';

type CheckInput = PlannedRequest & { id: string; prepared: PreparedAction; reason: string };

/**
 * The checks of a run without approval and what its review will need, or why it is refused. Stricter
 * than for a request, because nobody weighs what Belay couldn't check: each guard has to pass, and the
 * requester's mailbox has to be known.
 */
export async function checkBreakGlass(
  input: CheckInput,
  dependencies: CheckRequestDependencies,
): Promise<{ checks: Check[]; requirements: Requirements } | { refusal: RequestRefusal }> {
  const { teamId, id, requester, settings, prepared, reason } = input;
  const { name, action, subject, target } = prepared;
  const notNamed = breakGlassRefusal(requester, settings, name);
  if (notNamed) return refuse(refusals.notBreakGlass.id, notNamed);
  const why = subjectRefusal(action.isSubject(subject.snapshot, requester), requester);
  if (why) return { refusal: { result: 'guarded', guard: guards.notRequester.id, why } };
  const noAddress = missingAddressRefusal(requester);
  if (noAddress) return refuse(refusals.addressMissing.id, noAddress);
  const approvers = action.approvers(settings.approvers);
  const least = action.requiredApprovals(settings);
  const requirements = requirementsOf(name, { ...settings, approvers }, least);
  const problem = reasonProblem(reason, requirements.rule?.reasonFormat);
  if (problem) return refuse(refusals.reasonFormat.id, problem);
  const request = { teamId, id, connectionId: target.connectionId, settings };
  const { checks, refused } = await runGuards(subject, request, dependencies);
  if (refused) return { refusal: { result: 'guarded', ...refused } };
  const unmade = checks.find(({ result }) => result !== 'passed');
  if (!unmade) return { checks, requirements };
  const what = `${unmade.words ?? unmade.label}${unmade.detail ? ` (${unmade.detail})` : ''}`;
  return refuse(
    refusals.checkNotMade.id,
    `Belay couldn't check this: ${what}. Break-glass requires every check to pass. Request approval instead.`,
  );
}

function refuse(
  result: 'not-break-glass' | 'address-missing' | 'reason-format' | 'check-not-made',
  why: string,
): { refusal: RequestRefusal } {
  return { refusal: { result, why } };
}

/** The maximum number of direct messages sent at once. */
const maxNotified = 50;

/**
 * Everybody who gets a direct message about a run without approval: the approvers, with the members of
 * their groups, or the admins.
 */
export async function readAudience(
  { slack }: Pick<PlannedRequest, 'slack'>,
  approvers: string[],
  {
    listMembers,
    adminDirectory,
    log,
  }: Pick<CheckRequestDependencies, 'adminDirectory' | 'log'> & {
    listMembers: Access['listMembers'];
  },
): Promise<string[]> {
  try {
    const people =
      approvers.length > 0
        ? (await listMembers(slack, approvers)).people
        : (await adminDirectory.read(slack)).people.map(({ slackUserId }) => slackUserId);
    return people.slice(0, maxNotified);
  } catch (error) {
    // The message in the channel mentions them.
    log.warn({ err: error }, 'the people to notify of a run without approval are not known');
    return approvers;
  }
}
