import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { PolicySample } from '../compliance-samples.ts';
import type { CountChange, PolicyChange } from '../digest-contents.ts';

const shownChanges = 5;

/** A line for each of the first, and one for the rest. */
export function policyChangeLines(changes: PolicyChange[]): string[] {
  const shown = changes.slice(0, shownChanges);
  const more = changes.length - shown.length;
  return [
    ...shown.map((change) => `• ${bold(change.name, 100)}: ${changeText(change)}`),
    ...(more > 0 ? [`• and ${more} more: \`/belay compliance\``] : []),
  ];
}

function changeText(change: PolicyChange): string {
  switch (change.kind) {
    case 'gone':
      return 'gone';
    case 'new':
      return ['new', ...standText(change.statistics)].join(', ');
    case 'uncounted': {
      const [first, ...more] = standText(change.statistics);
      const last = first ? [[`last ${first}`, ...more].join(', ')] : [];
      return ['no statistics any more', ...last].join(', ');
    }
    case 'counted':
      return [...standText(change.statistics), 'no earlier numbers'].join(', ');
    case 'changed': {
      const told = change.counts.map(({ count, from, to }) => `${from} → ${to} ${nouns[count]}`);
      return [...told, ...verdict(change.counts)].join(', ');
    }
  }
}

const nouns: Record<CountChange['count'], string> = {
  nonCompliantCount: 'non-compliant',
  unprotectedCount: 'not protected',
  compliantCount: 'compliant',
  deactivatedCount: 'deactivated',
};

function standText(statistics: PolicySample['statistics']): string[] {
  return (['nonCompliantCount', 'unprotectedCount', 'compliantCount'] as const).flatMap((count) =>
    statistics[count] ? [`${statistics[count]} ${nouns[count]}`] : [],
  );
}

/** Of what is bad in itself: fewer compliant volumes can be fewer volumes. */
function verdict(counts: CountChange[]): string[] {
  const bad = counts.filter(
    ({ count }) => count === 'nonCompliantCount' || count === 'unprotectedCount',
  );
  if (bad.length === 0) return [];
  if (bad.every(({ from, to }) => to > from)) return ['worse'];
  return bad.every(({ from, to }) => to < from) ? ['better'] : [];
}
