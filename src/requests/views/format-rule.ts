import { capitalize, joinWords } from '../../slack/ui/words.ts';
import { isUserGroup } from '../../workspace/members.ts';
import type { RequiredApproval } from '../../workspace/rules.ts';
import type { Approval } from '../approval.ts';
import type { Shortfall } from '../rules/find-shortfall.ts';
import { matchVotes, namesApprovers, neededApprovals } from '../rules/match-approvals.ts';
import {
  formatCounts,
  formatUncounted,
  listPeople,
  listVoters,
  nameAnyOf,
} from './format-approvals.ts';

/** "1 of @security and 2 of @ana, @ben or @cleo": mrkdwn. */
export function formatNeeded(needed: RequiredApproval[]): string {
  return joinWords(needed.map(formatPart), 'and');
}

function formatPart({ from, count }: RequiredApproval): string {
  const [only = ''] = from;
  const isOnePerson = from.length === 1 && !isUserGroup(only);
  return isOnePerson ? listPeople(from) : `${count} of ${nameAnyOf(from)}`;
}

/**
 * Who has to approve a pending request with a rule, who has, and who is missing: lines of mrkdwn. Empty
 * without a rule.
 */
export function formatRule(approval: Approval): string[] {
  if (!namesApprovers(approval)) return [];
  const needed = neededApprovals(approval, []);
  const line = `Needs approval from ${formatNeeded(needed)}`;
  if (approval.votes.length === 0) return [line];
  const { met, missing } = matchVotes(approval);
  return [
    line,
    ...needed.map((part, index) => {
      const people = met[index] ?? [];
      const left = missing[index] ?? 0;
      const facts = [
        ...(people.length > 0 ? [`approved by ${listVoters(people)}`] : []),
        ...(left > 0 ? [`${left} more needed`] : []),
      ];
      return `${left > 0 ? '⏳' : '✅'} ${formatPart(part)}: ${facts.join(', ')}`;
    }),
    ...formatUncounted(approval),
  ];
}

/** "1 of 2 approvals" and "needs 1 of @ops": what a pending request misses, in a list of requests. */
export function formatNeeds(approval: Approval): string[] {
  const parts = approval.state === 'pending' ? formatMissingParts(approval) : '';
  return [...formatCounts(approval), ...(parts ? [`needs ${parts}`] : [])];
}

/** The parts of its rule that a request still misses; empty without a rule. */
export function formatMissingParts(approval: Approval): string {
  if (!namesApprovers(approval)) return '';
  const { missing } = matchVotes(approval);
  const needed = neededApprovals(approval, []);
  return formatNeeded(withCounts(needed, missing));
}

/** The parts of a rule with how many people are missing, without those that are met. */
export function withCounts(needed: RequiredApproval[], missing: number[]): RequiredApproval[] {
  return needed.flatMap((part, index) => {
    const count = missing[index] ?? part.count;
    return count > 0 ? [{ ...part, count }] : [];
  });
}

/** Says that a pending request can't currently be approved. */
export function formatUnmet(shortfall: Shortfall[]): string {
  return `⚠ The rule for this action can't be met right now:\n${formatShortfall(shortfall)}`;
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
      return [`${capitalize(formatPart(part))} must approve, but ${why}.`, ...listReasons(reasons)];
    })
    .join('\n');
}

const maxReasons = 5;

/** A line of mrkdwn for each of the first reasons. */
export function listReasons(reasons: string[]): string[] {
  const more = reasons.length - maxReasons;
  const shown = reasons.slice(0, maxReasons).map((reason) => `• ${reason}`);
  return [...shown, ...(more > 0 ? [`• and ${more} more`] : [])];
}
