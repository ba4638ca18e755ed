import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { age, bold, safe } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { AlertSearch } from '../alert-search.ts';

const spellings = new Map([
  ...['AWS', 'EBS', 'EC2', 'ID', 'RDS', 'S3', 'SQL', 'VM', 'VMware'].map(
    (spelling) => [spelling.toLowerCase(), spelling] as const,
  ),
  ['enc', 'encryption'],
]);

/**
 * Turns an identifier of the service into words: `aws_ebs_volume` becomes "AWS EBS volume". Text that
 * does not look like an identifier stays as it is.
 */
export function humanize(identifier: string): string {
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(identifier)) return identifier;
  return identifier
    .split('_')
    .map((word) => spellings.get(word) ?? word)
    .join(' ');
}

export function humanizeCapitalized(identifier: string): string {
  return capitalize(humanize(identifier));
}

/**
 * The name of an alert's type, the same in lists, forms, watches and digests. The service's own words
 * count only without an identifier, because some alerts of a type have them and others don't.
 */
export function alertTypeName({
  type,
  details,
}: Pick<Alert, 'type' | 'details'>): string | undefined {
  return type ? humanizeCapitalized(type) : details?.type;
}

/** What happened and why. */
export function problemOf(alert: Alert): string {
  const { cause, details } = alert;
  const why = details?.cause ?? (cause && humanizeCapitalized(cause));
  return [alertTypeName(alert), why].filter(Boolean).join(': ') || 'Unknown problem';
}

export function severityOf({ severity }: Alert): string {
  return severity ? humanizeCapitalized(severity) : 'No severity';
}

export function nameOf(entity: AlertEntity | undefined): string {
  return entity?.value ?? entity?.id ?? 'Unnamed resource';
}

export const maxTitleLength = 250;

/** "orders-7 · Policy violated: Backup failed", as plain text. */
export function plainTitle(alert: Alert): string {
  const { primaryEntity, parentEntity } = alert;
  return `${nameOf(primaryEntity ?? parentEntity)} · ${problemOf(alert)}`.slice(0, maxTitleLength);
}

/** "*orders-7* (AWS EBS volume)" */
export function formatEntity(entity: AlertEntity | undefined): string {
  const type = entity?.type ? ` (${line(humanize(entity.type))})` : '';
  return `${bold(nameOf(entity), 150)}${type}`;
}

/** Shown beside the word, because color alone must not carry the meaning. */
const severityIcons = new Map([
  ['error', ':large_red_circle:'],
  ['warning', ':large_yellow_circle:'],
  ['notice', ':large_blue_circle:'],
]);

/** "Error" or "Cleared · Error", with an icon: a cleared alert must not look like an active one. */
export function formatState(alert: Alert): string {
  const severity = line(severityOf(alert));
  if (isCleared(alert)) return `:white_check_mark: Cleared · ${severity}`;
  return `${severityIcons.get(alert.severity ?? '') ?? ':white_circle:'} ${severity}`;
}

/** What happened, to what it belongs, when, how often: the facts that follow state and resource. */
export function factsOf(
  alert: Alert,
  { sort, parent }: { sort?: AlertSearch['sort'] | undefined; parent?: AlertEntity | undefined },
): string {
  const { raisedCount = 1, status } = alert;
  const facts = [
    line(problemOf(alert)),
    parent && formatEntity(parent),
    formatTime(alert, sort),
    raisedCount > 1 && `raised ${raisedCount} times`,
    status && status !== 'active' && !isCleared(alert) && `status ${line(humanize(status))}`,
  ];
  return facts.filter(Boolean).join(' · ');
}

/** The time that the list is sorted by, so that the order can be seen. */
function formatTime(alert: Alert, sort: AlertSearch['sort'] = '-updated'): string {
  const { raisedTimestamp, updatedTimestamp, clearedTimestamp } = alert;
  if (sort === 'raised' || sort === '-raised') {
    return raisedTimestamp ? `raised ${formatAge(raisedTimestamp)}` : '';
  }
  if (isCleared(alert) && clearedTimestamp) return `cleared ${formatAge(clearedTimestamp)}`;
  if (updatedTimestamp) return `updated ${formatAge(updatedTimestamp)}`;
  return raisedTimestamp ? `raised ${formatAge(raisedTimestamp)}` : '';
}

/** How long ago, in Slack's date token; a timestamp that can't be read is shown as it is. */
export function formatAge(timestamp: string): string {
  const at = parseTimestamp(timestamp);
  return at ? age(at) : safe(timestamp, 60);
}

export function line(text: string): string {
  return safe(text, 150);
}
