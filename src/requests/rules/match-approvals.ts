import type { RequiredApproval } from '../../workspace/rules.ts';
import type { Approval, Vote } from '../approval.ts';

/** Somebody who counts for one of these approvals: positions, from 0. */
export type Candidate = { meets: readonly number[] };

/** By needed approval, in their order: who counts for it, and how many people are missing. */
type Match<Person> = {
  met: Person[][];
  missing: number[];
  /** How many people count. */
  size: number;
  isComplete: boolean;
};

/** Whether the rule of a request names who has to approve it: else any of the approvers may. */
export function namesApprovers({ rule }: Pick<Approval, 'rule'>): boolean {
  return rule !== undefined && rule.approvals.length > 0;
}

/**
 * What a request needs, all of it from different people: what its rule says. Where setup demands more
 * approvals, the others come from anybody named in the rule, or from the approvers if it names nobody:
 * ids of people and user groups, where none means the workspace's admins.
 */
export function neededApprovals(
  { rule, requiredApprovals }: Pick<Approval, 'rule' | 'requiredApprovals'>,
  approvers: string[],
): RequiredApproval[] {
  const approvals = rule?.approvals ?? [];
  const others = requiredApprovals - countOf(approvals);
  const from = approvals.length > 0 ? peopleIn(approvals) : approvers;
  return others > 0 ? [...approvals, { from, count: others }] : approvals;
}

/** What the approvals so far count for, as of the last of them. */
export function matchVotes(
  approval: Pick<Approval, 'rule' | 'requiredApprovals' | 'votes'>,
): Match<Vote> {
  // Who could give the others doesn't matter.
  return matchApprovals(neededApprovals(approval, []), approval.votes);
}

/** How many different people these are. */
export function countOf(approvals: RequiredApproval[]): number {
  return approvals.reduce((total, { count }) => total + count, 0);
}

/** Everyone named: ids of people and user groups. */
export function peopleIn(approvals: RequiredApproval[]): string[] {
  return [...new Set(approvals.flatMap(({ from }) => from))];
}

/**
 * Lets as many people count as possible, each for one approval (a maximum bipartite matching). Those
 * who come first keep their place: a later person never takes it without another one for them.
 */
export function matchApprovals<Person extends Candidate>(
  approvals: Pick<RequiredApproval, 'count'>[],
  people: readonly Person[],
): Match<Person> {
  const met: Person[][] = approvals.map(() => []);
  const place = (person: Person, tried: Set<number>): boolean => {
    for (const index of person.meets) {
      const taken = met[index];
      if (!taken || tried.has(index)) continue;
      tried.add(index);
      if (taken.length < (approvals[index]?.count ?? 0)) return taken.push(person) > 0;
      const moved = taken.findIndex((other) => place(other, tried));
      if (moved >= 0) {
        taken.splice(moved, 1, person);
        return true;
      }
    }
    return false;
  };
  for (const person of people) place(person, new Set());
  const missing = approvals.map(({ count }, index) => count - (met[index]?.length ?? 0));
  const size = met.reduce((total, { length }) => total + length, 0);
  return { met, missing, size, isComplete: missing.every((count) => count === 0) };
}
