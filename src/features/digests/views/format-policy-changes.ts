import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { PolicySample } from '../../compliance/index.ts';
import type { CountChange, PolicyChange } from '../collect/compare-policies.ts';

const maxShown = 5;

/** A line for each of the first changes, and one for the rest. */
export function formatPolicyChanges(changes: PolicyChange[]): string[] {
  const shown = changes.slice(0, maxShown);
  const more = changes.length - shown.length;
  return [
    ...shown.map((change) => `• ${bold(change.name, 100)}: ${formatChange(change)}`),
    ...(more > 0 ? [`• ${more} more · \`/belay compliance\``] : []),
  ];
}

function formatChange(change: PolicyChange): string {
  switch (change.kind) {
    case 'policy-removed':
      return 'removed';
    case 'policy-added':
      return ['new', ...formatCounts(change.statistics)].join(', ');
    case 'statistics-removed': {
      const [first, ...more] = formatCounts(change.statistics);
      const last = first ? [[`last ${first}`, ...more].join(', ')] : [];
      return ['no data anymore', ...last].join(', ');
    }
    case 'statistics-added':
      return [...formatCounts(change.statistics), 'no earlier data'].join(', ');
    case 'changed': {
      const counts = change.counts.map(({ count, from, to }) => `${from} → ${to} ${nouns[count]}`);
      return [...counts, ...formatTrend(change.counts)].join(', ');
    }
  }
}

const nouns: Record<CountChange['count'], string> = {
  nonCompliantCount: 'noncompliant',
  unprotectedCount: 'unprotected',
  compliantCount: 'compliant',
  deactivatedCount: 'deactivated',
};

function formatCounts(statistics: PolicySample['statistics']): string[] {
  return (['nonCompliantCount', 'unprotectedCount', 'compliantCount'] as const).flatMap((count) =>
    statistics[count] ? [`${statistics[count]} ${nouns[count]}`] : [],
  );
}

/** Only of counts that are bad in themselves: fewer compliant volumes can be fewer volumes. */
function formatTrend(counts: CountChange[]): string[] {
  const bad = counts.filter(
    ({ count }) => count === 'nonCompliantCount' || count === 'unprotectedCount',
  );
  if (bad.length === 0) return [];
  if (bad.every(({ from, to }) => to > from)) return ['worse'];
  return bad.every(({ from, to }) => to < from) ? ['better'] : [];
}
