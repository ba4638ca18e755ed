import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';

const spellings = new Map(
  ['AWS', 'EBS', 'EC2', 'ID', 'RDS', 'S3', 'SQL', 'VM', 'VMware'].map((spelling) => [
    spelling.toLowerCase(),
    spelling,
  ]),
);

/**
 * An identifier of the service for people: `aws_ebs_volume` reads "AWS EBS volume". Anything that
 * does not look like an identifier is in words already.
 */
export function inWords(identifier: string): string {
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(identifier)) return identifier;
  return identifier
    .split('_')
    .map((word) => spellings.get(word) ?? word)
    .join(' ');
}

/** The same where a line begins. */
export function inWordsCapitalized(identifier: string): string {
  return capitalized(inWords(identifier));
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What happened and why, by the service's own words where it has some. */
export function problemOf({ type, cause, details }: Alert): string {
  const what = details?.type ?? (type && inWordsCapitalized(type));
  const why = details?.cause ?? (cause && inWordsCapitalized(cause));
  return [what, why].filter(Boolean).join(': ') || 'The service does not say what happened';
}

export function severityOf({ severity }: Alert): string {
  return severity ? inWordsCapitalized(severity) : 'Severity not given';
}

export function nameOf(entity: AlertEntity | undefined): string {
  return entity?.value ?? entity?.id ?? 'Something the service does not name';
}
