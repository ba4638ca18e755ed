import { guards, refusals } from '../../../audit-log/registry.ts';
import type { Person } from '../../../slack/api/person.ts';
import { shownRights } from '../../workspaces/index.ts';
import type { Check } from '../approvable-action.ts';
import type { PreparedAction } from '../bind-action.ts';
import type { CheckRequestDependencies, PlannedRequest, RequestRefusal } from '../check-request.ts';
import type { OpenPeople } from '../decide-approval.ts';
import { missingAddressRefusal, runGuards, subjectRefusal } from '../guards.ts';
import { canTakePart } from '../people/places.ts';
import { reasonProblem } from '../rules/reason-format.ts';
import { type Requirements, requirementsOf } from '../rules/requirements.ts';
import { breakGlassRefusal } from './break-glass-right.ts';
import { type Audience, readAudience } from './reach-approver.ts';

type CheckInput = PlannedRequest & { id: string; prepared: PreparedAction; reason: string };

/**
 * The checks of a run without approval, what its review will need and who has to know of it, or why it
 * is refused. Stricter than for a request, because nobody weighs what Belay couldn't check: each guard
 * has to pass, the requester's mailbox and all approvers have to be known, and one of them has to be
 * somebody else.
 */
export async function checkBreakGlass(
  input: CheckInput,
  dependencies: CheckRequestDependencies & { openPeople: OpenPeople },
): Promise<
  { checks: Check[]; requirements: Requirements; audience: Audience } | { refusal: RequestRefusal }
> {
  const { teamId, id, requester, settings, slack, prepared, reason } = input;
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
  if (unmade) {
    const what = `${unmade.words ?? unmade.label}${unmade.detail ? ` (${unmade.detail})` : ''}`;
    return refuse(
      refusals.checkNotMade.id,
      `Belay couldn't check this: ${what}. Break-glass requires every check to pass. Request approval instead.`,
    );
  }
  const by = { snapshot: subject.snapshot, requester: requester.slackUserId };
  const couldApprove = (person: Person) =>
    shownRights.mayDecide(person, requirements.approvers) &&
    canTakePart(person, by, action, requester);
  const audience = await readAudience(
    { slack, settings, approvers: requirements.approvers, couldApprove },
    { ...dependencies, readPerson: dependencies.openPeople(teamId) },
  );
  if ('why' in audience) return refuse(refusals.checkNotMade.id, audience.why);
  if (await audience.findApprover(audience.people)) return { checks, requirements, audience };
  return refuse(
    refusals.notAnnounced.id,
    'Break-glass requires an approver other than you who can be notified, and there is none. Ask an admin to add one in `/belay access`.',
  );
}

function refuse(
  result:
    | 'not-break-glass'
    | 'address-missing'
    | 'reason-format'
    | 'check-not-made'
    | 'not-announced',
  why: string,
): { refusal: RequestRefusal } {
  return { refusal: { result, why } };
}
