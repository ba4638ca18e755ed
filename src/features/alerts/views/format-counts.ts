import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { AlertSearch } from '../alert-search.ts';
import { humanize } from './format-alert.ts';

type Counted = { matched: Alert[]; isComplete: boolean; status: AlertSearch['status'] };

/** "12 active: 3 errors, 9 warnings", with "At least" if not all alerts were examined. */
export function formatCounts({ matched, isComplete, status }: Counted): string {
  const severities = Map.groupBy(matched, ({ severity }) => severity ?? '');
  const inOrder = [...severities].sort(([one], [other]) => rankOf(one) - rankOf(other));
  const counts = inOrder
    .slice(0, shownSeverities)
    .map(([name, { length }]) => countOf(name, length));
  const left = inOrder.slice(shownSeverities).reduce((sum, [, { length }]) => sum + length, 0);
  if (left > 0) counts.push(`${left} of other severities`);
  const least = isComplete ? '' : 'At least ';
  return `${least}${matched.length} ${nounOf(matched, status)}: ${counts.join(', ')}`;
}

const shownSeverities = 5;
const knownSeverities = ['error', 'warning'];

/** Errors, warnings, other severities, and alerts without a severity last. */
function rankOf(severity: string): number {
  if (severity === '') return knownSeverities.length + 1;
  const rank = knownSeverities.indexOf(severity);
  return rank === -1 ? knownSeverities.length : rank;
}

function countOf(severity: string, count: number): string {
  if (severity === '') return `${count} without a severity`;
  if (!knownSeverities.includes(severity))
    return `${count} of severity ${safe(humanize(severity), 60)}`;
  return plural(count, severity);
}

function nounOf(matched: Alert[], status: AlertSearch['status']): string {
  if (status !== 'all') return status;
  const cleared = matched.filter(isCleared).length;
  const noun = matched.length === 1 ? 'alert' : 'alerts';
  return `${noun} (${matched.length - cleared} active, ${cleared} cleared)`;
}
