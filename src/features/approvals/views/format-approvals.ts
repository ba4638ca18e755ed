import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { Approval } from '../approval.ts';

type Votes = Pick<Approval, 'votes' | 'requiredApprovals'>;

/** Who has approved so far; empty for requests that need one approval, and before the first approval. */
export function formatProgress({ votes, requiredApprovals }: Votes): string {
  if (requiredApprovals === 1 || votes.length === 0) return '';
  const who = listPeople(votes.map(({ by }) => by));
  return `Approved by ${who}, ${formatCount({ votes, requiredApprovals })}.`;
}

/** "1 of 2 approvals". */
function formatCount({ votes, requiredApprovals }: Votes): string {
  return `${votes.length} of ${plural(requiredApprovals, 'approval')}`;
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
export function formatMissing({ votes, requiredApprovals }: Votes): string {
  if (requiredApprovals === 1) return 'approval';
  if (votes.length === 0) return plural(requiredApprovals, 'approval');
  return plural(requiredApprovals - votes.length, 'more approval');
}

const maxNamed = 10;

/**
 * Who can still approve a pending request, and until when. `approvers` are Slack user ids; none means
 * the workspace's admins. Mentioned people are notified when the message is posted, never by its edits.
 */
export function formatWaiting(approval: Approval, approvers: string[]): string {
  const { requiredApprovals } = approval;
  const excluded = [approval.requester, ...approval.votes.map(({ by }) => by)];
  const others = approvers.filter((approver) => !excluded.includes(approver));
  const left = others.length - maxNamed;
  const who =
    left > 0
      ? `${others.slice(0, maxNamed).map(mention).join(', ')} or ${plural(left, 'other')}`
      : joinPeople(others, 'or');
  const until = moment(approval.expiresAt);
  if (requiredApprovals === 1) {
    return `Waiting for ${who || 'an admin of this workspace'} until ${until}.`;
  }
  const missing = formatMissing(approval);
  return `Waiting for ${missing} from ${who || 'the admins'} until ${until}.`;
}

/** "@Ben, @Cleo and @Dan", for Slack user ids. */
export function listPeople(slackUserIds: string[]): string {
  return joinPeople(slackUserIds, 'and');
}

function joinPeople(slackUserIds: string[], word: 'and' | 'or'): string {
  const people = slackUserIds.map(mention);
  const last = people.pop() ?? '';
  return people.length > 0 ? `${people.join(', ')} ${word} ${last}` : last;
}
