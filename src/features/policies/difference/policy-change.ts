/** Whether a change protects less, the same, or more. What Belay does not understand is `weaker`. */
export type Weight = 'weaker' | 'neutral' | 'stronger';

/** The place of what belongs to the policy as a whole. */
export const policyPlace = 'Policy';

/** One line of the difference between two policies; all texts are plain. */
export type PolicyChange = {
  /** "Policy", or "Schedule 2 (VMware VM backup)". */
  place: string;
  /** "Retention". */
  label: string;
  /** Undefined for what is added. */
  before: string | undefined;
  /** Undefined for what is removed. */
  after: string | undefined;
  weight: Weight;
};

/** A change is as weak as its weakest line: a stronger line doesn't compensate for it. */
export function overallWeight(changes: PolicyChange[]): Weight {
  if (changes.some(({ weight }) => weight === 'weaker')) return 'weaker';
  return changes.some(({ weight }) => weight === 'stronger') ? 'stronger' : 'neutral';
}

/** How many people have to approve: only a weakening needs more than one. */
export function countApprovals(
  changes: PolicyChange[],
  { weakeningApprovals }: { weakeningApprovals: number },
): number {
  return overallWeight(changes) === 'weaker' ? weakeningApprovals : 1;
}

const order: Weight[] = ['weaker', 'stronger', 'neutral'];

export function weakerFirst(changes: PolicyChange[]): PolicyChange[] {
  return changes.toSorted((one, other) => order.indexOf(one.weight) - order.indexOf(other.weight));
}
