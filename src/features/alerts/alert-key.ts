import { createHash } from 'node:crypto';
import type { Alert } from '../../dataprotection/resources/alerts.ts';

/** The id of an alert in the database, or its hash if the id does not fit an index. */
export function alertKey({ id }: Pick<Alert, 'id'>): string {
  if (/^[\w.:-]{1,200}$/.test(id)) return id;
  return `sha256:${createHash('sha256').update(id).digest('base64url')}`;
}
