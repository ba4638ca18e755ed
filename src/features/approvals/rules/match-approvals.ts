import type { RequiredApproval } from '../../workspaces/index.ts';
import type { Approval } from '../approval.ts';

/** Somebody who counts for one of these approvals of a rule: positions, from 0. */
export type Candidate = { meets: readonly number[] };

/** By approval of the rule, in its order: who counts for it, and how many people are missing. */
type Match<Person> = {
  met: Person[][];
  missing: number[];
  /** How many people count. */
  size: number;
  isComplete: boolean;
};

/**
 * What a request with a rule needs, all of it from different people. Empty without a rule. Where setup
 * demands more approvals than the rule, the others come from anybody named in the rule.
 */
export function neededApprovals({
  rule,
  requiredApprovals,
}: Pick<Approval, 'rule' | 'requiredApprovals'>): RequiredApproval[] {
  const approvals = rule?.approvals ?? [];
  if (approvals.length === 0) return [];
  const others = requiredApprovals - countOf(approvals);
  return others > 0 ? [...approvals, { from: peopleIn(approvals), count: others }] : approvals;
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
