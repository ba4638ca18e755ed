import {
  changesCommand,
  formatChange,
  formatChangeCount,
  formatOrigin,
} from '../../policy-watches/index.ts';
import type { ChangedPolicies } from '../collect/digest-contents.ts';

const maxShown = 5;

/** A line for each of the first changes to policies, and one for the rest. */
export function formatChangedPolicies({ changes, isComplete }: ChangedPolicies): string[] {
  if (changes.length === 0) return [];
  const more = changes.length - maxShown;
  const atLeast = isComplete ? '' : 'at least ';
  return [
    `*Policy changes* · ${atLeast}${formatChangeCount(changes)}`,
    ...changes
      .slice(0, maxShown)
      .map((change) => `• ${formatChange(change)} · ${formatOrigin(change)}`),
    ...(more > 0 ? [`• ${atLeast}${more} more · ${changesCommand}`] : []),
  ];
}
