import type { RequestMade } from '../../requests/store/find-changing-requests.ts';
import { overallWeight, type PolicyChange } from '../policies/index.ts';
import type { ChangeKind } from './store/tables.ts';

/** A change to a policy, as it is stored and shown later. */
export type RecordedChange = {
  policyId: string;
  name: string;
  kind: ChangeKind;
  /** None for a deletion. */
  changes: PolicyChange[];
  /** When Belay made it, or found it. */
  at: Date;
  /** The request through which Belay made it; undefined for a change outside Belay. */
  madeBy: RequestMade | undefined;
};

export function isWeakening({ kind, changes }: Pick<RecordedChange, 'kind' | 'changes'>): boolean {
  return kind === 'deleted' || overallWeight(changes) === 'weaker';
}

/** The changes that weaken protection first; otherwise in the same order. */
export function weakeningFirst<T extends Pick<RecordedChange, 'kind' | 'changes'>>(
  changes: readonly T[],
): T[] {
  return changes.toSorted((one, other) => Number(isWeakening(other)) - Number(isWeakening(one)));
}
