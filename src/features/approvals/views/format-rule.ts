import { capitalize } from '../../../slack/ui/words.ts';
import { isUserGroup, type RequiredApproval } from '../../workspaces/index.ts';
import type { Approval } from '../approval.ts';
import type { Shortfall } from '../rules/find-shortfall.ts';
import { matchApprovals, neededApprovals } from '../rules/match-approvals.ts';
import { listPeople, nameAnyOf } from './format-approvals.ts';

/** "1 of @security and 2 of @ana, @ben or @cleo": mrkdwn. */
export function formatNeeded(needed: RequiredApproval[]): string {
  const parts = needed.map(formatPart);
  const last = parts.pop() ?? '';
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
}

function formatPart({ from, count }: RequiredApproval): string {
  const [only = ''] = from;
  const isOnePerson = from.length === 1 && !isUserGroup(only);
  return isOnePerson ? listPeople(from) : `${count} of ${nameAnyOf(from)}`;
}

/** By part of the rule: who has approved and how many are missing. Empty before the first approval. */
export function formatParts(approval: Approval): string[] {
  const needed = neededApprovals(approval);
  if (needed.length === 0 || approval.votes.length === 0) return [];
  const { met, missing } = matchVotes(approval, needed);
  return needed.map((part, index) => {
    const voters = (met[index] ?? []).map(({ by }) => by);
    const left = missing[index] ?? 0;
    const facts = [
      ...(voters.length > 0 ? [`approved by ${listPeople(voters)}`] : []),
      ...(left > 0 ? [`${left} missing`] : []),
    ];
    return `${left > 0 ? '⏳' : '✅'} ${capitalize(formatPart(part))}: ${facts.join(', ')}`;
  });
}

/** How many of the approvals so far count; those of people who have left their groups may not. */
export function countingVotes(approval: Approval): number {
  const needed = neededApprovals(approval);
  return needed.length > 0 ? matchVotes(approval, needed).size : approval.votes.length;
}

function matchVotes({ votes }: Approval, needed: RequiredApproval[]) {
  return matchApprovals(
    needed,
    votes.map(({ by, meets = [] }) => ({ by, meets })),
  );
}

/** Why a rule can't be met: a sentence of mrkdwn for each part, with the reasons below. */
export function formatShortfall(shortfall: Shortfall[]): string {
  return shortfall
    .flatMap(({ able, reasons, ...part }) => {
      const isShared = able.length >= part.count;
      const who = able.length === 0 ? 'nobody' : `only ${listPeople(able)}`;
      const why = isShared
        ? 'the people who can are also needed for another part of the rule, and each person counts once'
        : `${who} can`;
      return [
        `${capitalize(formatPart(part))} must approve, but ${why}.`,
        ...reasons.slice(0, maxReasons).map((reason) => `• ${reason}`),
        ...(reasons.length > maxReasons ? [`• and ${reasons.length - maxReasons} more`] : []),
      ];
    })
    .join('\n');
}

const maxReasons = 5;
