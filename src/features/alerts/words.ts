import type { Alert, AlertEntity } from '../../dataprotection/alerts.ts';

const abbreviations = new Set(['aws', 'ebs', 'ec2', 'id', 'rds', 's3', 'vm', 'sql']);

/**
 * An identifier of the service for people: `aws_ebs_volume` reads "AWS EBS volume". Anything that
 * does not look like an identifier is in words already.
 */
export function inWords(identifier: string): string {
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(identifier)) return identifier;
  const words = identifier
    .split('_')
    .map((word) => (abbreviations.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What happened and why, by the service's own words where it has some. */
export function problemOf({ type, cause, details }: Alert): string {
  const what = details?.type ?? (type && inWords(type));
  const why = details?.cause ?? (cause && inWords(cause));
  return [what, why].filter(Boolean).join(': ') || 'The service does not say what happened';
}

export function severityOf({ severity }: Alert): string {
  return severity ? inWords(severity) : 'Severity not given';
}

export function nameOf(entity: AlertEntity | undefined): string {
  return entity?.value ?? entity?.id ?? 'Something the service does not name';
}
