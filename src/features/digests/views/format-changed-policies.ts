import {
  changesCommand,
  formatChange,
  formatOrigin,
  formatUnread,
  formatWeakening,
} from '../../policy-watches/index.ts';
import type { ChangedPolicies } from '../collect/digest-contents.ts';

const maxShown = 5;

/** A line for each of the first changes to policies, one for the rest, and what is unknown. */
export function formatChangedPolicies(policies: ChangedPolicies): string[] {
  const { changes, isComplete, unreadSince } = policies;
  const unread = unreadSince ? [formatUnread(unreadSince)] : [];
  if (changes.length === 0) return unread;
  const more = changes.length - maxShown;
  const atLeast = isComplete ? '' : 'at least ';
  return [
    `*Policy changes* · ${atLeast}${changes.length}${formatWeakening(changes)}`,
    ...changes
      .slice(0, maxShown)
      .map((change) => `• ${formatChange(change)} · ${formatOrigin(change)}`),
    ...(more > 0 ? [`• ${atLeast}${more} more · ${changesCommand}`] : []),
    ...unread,
  ];
}
