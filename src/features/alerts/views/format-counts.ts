import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { AlertSearch } from '../alert-search.ts';
import { humanize } from './format-alert.ts';

type Counted = {
  matched: Alert[];
  isComplete: boolean;
  status: AlertSearch['status'];
  /** How many alerts are on the pages before this one, and on this one. */
  shownBefore: number;
  shownHere: number;
};

/** "1-10 of 389 active: 100 errors, 289 warnings", with "at least" if not all alerts were examined. */
export function formatCounts(counted: Counted): string {
  const { matched, isComplete, status, shownBefore, shownHere } = counted;
  const severities = Map.groupBy(matched, ({ severity }) => severity ?? '');
  const inOrder = [...severities].sort(([one], [other]) => rankOf(one) - rankOf(other));
  const counts = inOrder
    .slice(0, shownSeverities)
    .map(([name, { length }]) => countOf(name, length));
  const left = inOrder.slice(shownSeverities).reduce((sum, [, { length }]) => sum + length, 0);
  if (left > 0) counts.push(`${left} of other severities`);
  const last = shownBefore + shownHere;
  // Alerts that were shown may have been cleared since, and then count no more.
  const total = Math.max(matched.length, last);
  const range = shownHere > 0 && shownHere < total ? `${shownBefore + 1}-${last} of ` : '';
  const least = isComplete ? '' : `${range ? 'at least' : 'At least'} `;
  return `${range}${least}${total} ${nounOf(matched, status)}: ${counts.join(', ')}`;
}

const shownSeverities = 5;
const knownSeverities = ['error', 'warning', 'notice'];

/** Errors, warnings, notices, other severities, and alerts without a severity last. */
function rankOf(severity: string): number {
  if (severity === '') return knownSeverities.length + 1;
  const rank = knownSeverities.indexOf(severity);
  return rank === -1 ? knownSeverities.length : rank;
}

function countOf(severity: string, count: number): string {
  if (severity === '') return `${count} without a severity`;
  if (knownSeverities.includes(severity)) return plural(count, severity);
  return `${count} with severity ${safe(humanize(severity), 60)}`;
}

function nounOf(matched: Alert[], status: AlertSearch['status']): string {
  if (status !== 'all') return status;
  const cleared = matched.filter(isCleared).length;
  const noun = matched.length === 1 ? 'alert' : 'alerts';
  return `${noun} (${matched.length - cleared} active, ${cleared} cleared)`;
}
