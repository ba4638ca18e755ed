import { hash } from 'node:crypto';

/** Changes when the resource does. */
export function etagOf(resource: object): string {
  return hash('sha1', JSON.stringify(resource), 'hex').slice(0, 16);
}
