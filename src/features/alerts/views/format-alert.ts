import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { age, safe } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';

const spellings = new Map(
  ['AWS', 'EBS', 'EC2', 'ID', 'RDS', 'S3', 'SQL', 'VM', 'VMware'].map((spelling) => [
    spelling.toLowerCase(),
    spelling,
  ]),
);

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

/** What happened and why, in the service's own words where it has some. */
export function problemOf({ type, cause, details }: Alert): string {
  const what = details?.type ?? (type && humanizeCapitalized(type));
  const why = details?.cause ?? (cause && humanizeCapitalized(cause));
  return [what, why].filter(Boolean).join(': ') || 'The service does not say what happened';
}

export function severityOf({ severity }: Alert): string {
  return severity ? humanizeCapitalized(severity) : 'Severity not given';
}

export function nameOf(entity: AlertEntity | undefined): string {
  return entity?.value ?? entity?.id ?? 'Something the service does not name';
}

/** How long ago, in Slack's date token; a timestamp that can't be read is shown as it is. */
export function formatAge(timestamp: string): string {
  const at = parseTimestamp(timestamp);
  return at ? age(at) : safe(timestamp, 60);
}
