import { stopReasons } from '../../../audit-log/registry.ts';
import type { Person } from '../../../slack/api/person.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { GroupUnreadError, type WorkspaceSettings } from '../../workspaces/index.ts';
import type { Action } from '../action.ts';
import { type Approval, approversOf, type Outcome } from '../approval.ts';
import { breakGlassRefusal } from '../break-glass/break-glass-right.ts';
import { samePersonRefusal, subjectRefusal } from '../guards.ts';
import { placesOf, voterPlaceOf } from '../people/places.ts';
import type { RequestContext } from '../request-context.ts';
import { countVotes } from '../rules/count-votes.ts';
import { matchApprovals, neededApprovals } from '../rules/match-approvals.ts';
import { hasRuleChanged, ruleChangedText } from '../rules/requirements.ts';
import { formatNeeded, withCounts } from '../views/format-rule.ts';

/** `settings`: as they are now. */
type Now = Pick<RequestContext, 'openPeople'> & { settings: WorkspaceSettings };

/** Waits while Slack doesn't return the members of a group that a right rests on. */
export async function checkPeople(
  approval: Approval,
  action: Action,
  context: Now,
): Promise<Outcome | undefined> {
  try {
    return await findLostRight(approval, action, context);
  } catch (error) {
    if (!(error instanceof GroupUnreadError)) throw error;
    return {
      to: 'waiting',
      outcome: `Slack didn't return the members of ${mention(error.groupId)}.`,
    };
  }
}

/**
 * Stops a step when the requester or an approver have lost their rights or are the subject, or when
 * they are no longer as many different people as the request needs. With a rule, approvals that no longer
 * count stop it only if the others don't suffice.
 */
async function findLostRight(
  approval: Approval,
  action: Action,
  { openPeople, settings }: Now,
): Promise<Outcome | undefined> {
  const { teamId, snapshot, canceledBy, requiredApprovals } = approval;
  // The person who canceled was checked at the click.
  if (canceledBy !== undefined) return undefined;
  const readPerson = openPeople(teamId);
  const [requester, approvers] = await Promise.all([
    readPerson(approval.requester),
    Promise.all(approversOf(approval).map(readPerson)),
  ]);
  if (requester.membership !== 'member') {
    return failed(
      stopReasons.requesterNotMember.id,
      'The requester is no longer a full member of this workspace.',
    );
  }
  if (hasRuleChanged(approval, settings)) {
    return { to: 'voided', outcome: ruleChangedText, stopReason: stopReasons.ruleChanged.id };
  }
  if (approval.breakGlass) {
    const isAbout = subjectRefusal(action.isSubject(snapshot, requester), requester);
    if (isAbout) return failed(stopReasons.guardRefused.id, isAbout);
    const refusal = breakGlassRefusal(requester, settings, approval.action);
    return refusal ? failed(stopReasons.breakGlassNotAllowed.id, refusal) : undefined;
  }
  const lost = action.requesterRefusal(requester, settings);
  if (lost !== undefined) return failed(stopReasons.requesterNotAllowed.id, lost);
  const needed = neededApprovals(approval);
  if (needed.length > 0) {
    const refusal = subjectRefusal(action.isSubject(snapshot, requester), requester);
    if (refusal) return failed(stopReasons.guardRefused.id, refusal);
    const votes = countVotes(approval, action, { needed, requester, voters: approvers });
    const { missing, isComplete } = matchApprovals(needed, votes);
    if (isComplete) return undefined;
    const outcome = `Not enough of the people who approved can still approve under the rule for this action. Missing: ${formatNeeded(withCounts(needed, missing))}. Submit the request again.`;
    return failed(stopReasons.tooFewApprovals.id, outcome);
  }
  const named = action.approvers(settings.approvers);
  const places: Person[] = [];
  for (const approver of approvers) {
    const vote = approval.votes.find(({ by }) => by === approver.slackUserId);
    const { place } = voterPlaceOf({ standsInFor: vote?.standsInFor }, approver);
    if (!place || !placesOf(approver, named, settings).includes(place)) {
      const who = approvers.length === 1 ? 'The approver' : mention(approver.slackUserId);
      return failed(
        stopReasons.approverNotAllowed.id,
        `${who} is no longer allowed to decide. Submit the request again.`,
      );
    }
    places.push(place);
  }
  const same = findSame([...approvers, ...places].map((approver) => [requester, approver]));
  if (same !== undefined) return failed(stopReasons.samePerson.id, same);
  const double = findSame([...pairsOf(approvers), ...pairsOf(places)]);
  if (double !== undefined) return failed(stopReasons.tooFewApprovals.id, double);
  if (approvers.length < requiredApprovals) {
    const outcome = 'Too few people have approved this request. Submit the request again.';
    return failed(stopReasons.tooFewApprovals.id, outcome);
  }
  const refusal = [requester, ...approvers, ...places]
    .map((person) => subjectRefusal(action.isSubject(snapshot, person), person))
    .find((one) => one !== undefined);
  return refusal === undefined ? undefined : failed(stopReasons.guardRefused.id, refusal);
}

function pairsOf(people: Person[]): [Person, Person][] {
  return people.flatMap((one, index) =>
    people.slice(index + 1).map((other): [Person, Person] => [one, other]),
  );
}

/** Why two people of a pair are, or may be, one person. */
function findSame(pairs: [Person, Person][]): string | undefined {
  return pairs
    .map(([one, other]) => samePersonRefusal(one, other)?.why)
    .find((why) => why !== undefined);
}

function failed(stopReason: Outcome['stopReason'], outcome: string): Outcome {
  return { to: 'failed', outcome, stopReason };
}
