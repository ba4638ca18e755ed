import { mention } from '../../slack/ui/mrkdwn.ts';
import { GroupUnreadError } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import type { Approval, Outcome } from '../approval.ts';
import { breakGlassRefusal } from '../break-glass/break-glass-right.ts';
import { subjectRefusal } from '../guards.ts';
import type { RequestContext } from '../request-context.ts';
import { matchApprovals, namesApprovers, neededApprovals } from '../rules/match-approvals.ts';
import { recheckVotes } from '../rules/recheck-votes.ts';
import { decidersOf, hasRuleChanged, ruleChangedText } from '../rules/requirements.ts';
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
 * Stops a step when the requester has lost the right to request it or is the subject, or when the approvals
 * that still count are not those that the request needs.
 */
async function findLostRight(
  approval: Approval,
  action: Action,
  { openPeople, settings }: Now,
): Promise<Outcome | undefined> {
  const [{ canceledBy }] = approval.runs;
  // The person who canceled was checked at the click.
  if (canceledBy !== undefined) return undefined;
  const readPerson = openPeople(approval.teamId);
  const [requester, voters] = await Promise.all([
    readPerson(approval.requester),
    Promise.all(approval.votes.map(({ by }) => readPerson(by))),
  ]);
  if (requester.membership !== 'member') {
    return failed(
      'requester_not_member',
      'The requester is no longer a full member of this workspace.',
    );
  }
  if (hasRuleChanged(approval, settings)) {
    return { to: 'voided', outcome: ruleChangedText, stopReason: 'rule_changed' };
  }
  const isAbout = subjectRefusal(action.isSubject(requester), requester);
  if (isAbout) return failed('guard_refused', isAbout);
  if (approval.breakGlass) {
    const notNamed = breakGlassRefusal(requester, settings, approval.action);
    if (notNamed) return failed('break_glass_not_allowed', notNamed);
    const why = action.changeRefusal(requester);
    return why ? failed('requester_not_allowed', why) : undefined;
  }
  const refusal = action.requesterRefusal(requester, settings);
  if (refusal !== undefined) return failed('requester_not_allowed', refusal);
  const needed = neededApprovals(approval, decidersOf(approval, action, settings));
  const votes = recheckVotes(approval, action, { needed, requester, voters, settings });
  const { missing, isComplete } = matchApprovals(needed, votes);
  if (isComplete) return undefined;
  if (namesApprovers(approval)) {
    const outcome = `Not enough of the people who approved can still approve under the rule for this action. Missing: ${formatNeeded(withCounts(needed, missing))}. Submit the request again.`;
    return failed('too_few_approvals', outcome);
  }
  const lost = votes.find((vote) => vote.lost)?.lost;
  if (lost) return failed(lost.stopReason, lost.why);
  const outcome = 'Too few people have approved this request. Submit the request again.';
  return failed('too_few_approvals', outcome);
}

/** A run that ends before it changes anything more. */
export function failed(stopReason: Outcome['stopReason'], outcome: string): Outcome {
  return { to: 'failed', outcome, stopReason };
}
