import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { AlertGroup, DigestContents } from '../collect/digest-contents.ts';

type Groups = Pick<DigestContents, 'newAlerts' | 'openAlerts' | 'clearedAlerts'>;

/** "3 new alerts (2 errors, 1 warning)", "12 still active", "5 cleared" */
export function formatAlertCounts({ newAlerts, openAlerts, clearedAlerts }: Groups): string[] {
  const formatNew = (group: AlertGroup) =>
    `${plural(group.alerts.length, 'new alert')}${formatSeverities(group)}`;
  const formatOpen = (group: AlertGroup) =>
    newAlerts
      ? `${group.alerts.length} still active${formatSeverities(group)}`
      : `${plural(group.alerts.length, 'active alert')}${formatSeverities(group)}`;
  const formatCleared = ({ alerts }: AlertGroup) => `${alerts.length} cleared`;
  return [
    newAlerts && formatGroup(newAlerts, 'new', formatNew),
    openAlerts && formatGroup(openAlerts, 'active', formatOpen),
    clearedAlerts && formatGroup(clearedAlerts, 'cleared', formatCleared),
  ].filter((part) => part !== undefined);
}

/** A count of alerts that could not all be read is a minimum, and 0 of them proves nothing. */
function formatGroup(
  group: AlertGroup,
  kind: string,
  formatCount: (group: AlertGroup) => string,
): string {
  if (!group.stopped) return formatCount(group);
  return group.alerts.length === 0 ? `no ${kind} alerts found` : `at least ${formatCount(group)}`;
}

const maxSeverities = 3;
const countable = new Set(['error', 'warning', 'notice']);

function formatSeverities({ alerts }: AlertGroup): string {
  const groups = Map.groupBy(alerts, ({ severity }: Alert) => severity ?? 'without severity');
  if (groups.size === 0) return '';
  const shown = [...groups].slice(0, maxSeverities);
  const counts = shown.map(([name, { length }]) =>
    countable.has(name) ? plural(length, name) : `${length} ${safe(name, 40)}`,
  );
  const left = groups.size - shown.length;
  const rest = left > 0 ? [plural(left, 'other severity', 'other severities')] : [];
  return ` (${[...counts, ...rest].join(', ')})`;
}
