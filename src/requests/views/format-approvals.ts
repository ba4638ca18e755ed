import { mention } from '../../slack/ui/mrkdwn.ts';
import { joinWords, plural } from '../../slack/ui/words.ts';
import { isUserGroup } from '../../workspace/members.ts';
import { type Approval, doneBy, type Vote } from '../approval.ts';
import type { ShownStandIn } from '../people/read-stand-ins.ts';
import { matchVotes } from '../rules/match-approvals.ts';

type Votes = Pick<Approval, 'votes' | 'requiredApprovals' | 'rule'>;

/** Who has approved so far; empty for requests that need one approval, and before the first approval. */
export function formatProgress(approval: Votes): string {
  const { votes, requiredApprovals } = approval;
  if (requiredApprovals === 1 || votes.length === 0) return '';
  const who = listVoters(votes);
  return `Approved by ${who}, ${formatCount(approval)}.`;
}

/** Who has approved a pending request without it counting anymore: a line of mrkdwn, or none. */
export function formatUncounted(approval: Votes): string[] {
  const counting = matchVotes(approval).met.flat();
  const others = approval.votes.filter((vote) => !counting.includes(vote));
  return others.length > 0
    ? [`⚠ Not counted: ${listVoters(others)} can no longer approve this request.`]
    : [];
}

/** "1 of 2 approvals". */
function formatCount(approval: Votes): string {
  return `${matchVotes(approval).size} of ${plural(approval.requiredApprovals, 'approval')}`;
}

/** What an approver of a request that needs several people reads before they approve. */
export function severalPeople({ requiredApprovals }: Pick<Approval, 'requiredApprovals'>): string {
  return `${requiredApprovals} different people must approve.`;
}

/** "1 of 2 approvals" in a list of requests, for a pending one that needs several. */
export function formatCounts({ state, ...votes }: Votes & Pick<Approval, 'state'>): string[] {
  return state === 'pending' && votes.requiredApprovals > 1 ? [formatCount(votes)] : [];
}

/** What a pending request waits for: "approval", "2 approvals", "1 more approval". */
export function formatMissing(approval: Votes): string {
  const { votes, requiredApprovals } = approval;
  if (requiredApprovals === 1) return 'approval';
  if (votes.length === 0) return plural(requiredApprovals, 'approval');
  return plural(requiredApprovals - matchVotes(approval).size, 'more approval');
}

const maxNamed = 10;

/**
 * Who can still approve a pending request. `approvers` are Slack user ids; none means
 * the workspace's admins. Mentioned people are notified when the message is posted, never by its edits.
 */
export function formatWaiting(approval: Approval, approvers: string[]): string {
  const { requiredApprovals } = approval;
  const excluded = [approval.requester, ...doneBy(approval.votes)];
  const others = approvers.filter((approver) => !excluded.includes(approver));
  const missingCount = requiredApprovals - matchVotes(approval).size;
  // Of a user group, more people may approve than it looks.
  const isEachNeeded = others.length === missingCount && others.every((id) => !isUserGroup(id));
  const who = isEachNeeded ? listPeople(others) : nameAnyOf(others);
  const missing = formatMissing(approval);
  if (!who && approvers.length > 0) return `Needs ${missing} · ⚠ No other approver can give it`;
  if (requiredApprovals === 1) return `Approver: ${who || 'an admin of this workspace'}`;
  return `Needs ${missing} from ${who || 'the admins'}`;
}

/** Who stands in for approvers whose approval a pending request doesn't have; empty for nobody. */
export function formatStandIns({ votes }: Pick<Approval, 'votes'>, all: ShownStandIn[]): string {
  const done = doneBy(votes);
  return all
    .filter(({ standIn, approver }) => !done.includes(standIn) && !done.includes(approver))
    .slice(0, maxNamed)
    .map(({ standIn, approver }) => `${mention(standIn)} stands in for ${mention(approver)}.`)
    .join(' ');
}

/** "@Ben, @Cleo and @Dan", for Slack user ids. */
export function listPeople(slackUserIds: string[]): string {
  return joinWords(slackUserIds.map(mention), 'and');
}

/** "@Ben (standing in for @Cleo) and @Dan". */
export function listVoters(votes: Pick<Vote, 'by' | 'standsInFor'>[]): string {
  const names = votes.map(({ by, standsInFor }) =>
    standsInFor
      ? `${mention(by)} (standing in for ${mention(standsInFor.slackUserId)})`
      : mention(by),
  );
  return joinWords(names, 'and');
}

/** "@Ben, @Cleo or @Dan", for ids of people and user groups; those after the first ten as a number. */
export function nameAnyOf(ids: string[]): string {
  const left = ids.length - maxNamed;
  return left > 0
    ? `${ids.slice(0, maxNamed).map(mention).join(', ')} or ${plural(left, 'other')}`
    : joinWords(ids.map(mention), 'or');
}
