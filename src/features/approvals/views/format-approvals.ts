import { mention } from '../../../slack/ui/mrkdwn.ts';
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

/** The same in a list of requests, for a pending one that needs several. */
export function formatCounts({ state, ...votes }: Votes & Pick<Approval, 'state'>): string[] {
  return state === 'pending' && votes.requiredApprovals > 1 ? [formatCount(votes)] : [];
}

/** What a pending request waits for: "approval", "2 approvals", "1 more approval". */
export function formatMissing({ votes, requiredApprovals }: Votes): string {
  if (requiredApprovals === 1) return 'approval';
  if (votes.length === 0) return plural(requiredApprovals, 'approval');
  return plural(requiredApprovals - votes.length, 'more approval');
}

/** "@Ben, @Cleo and @Dan", for Slack user ids. */
export function listPeople(slackUserIds: string[]): string {
  const people = slackUserIds.map(mention);
  const last = people.pop() ?? '';
  return people.length > 0 ? `${people.join(', ')} and ${last}` : last;
}
