import { hash } from 'node:crypto';

/** Changes with the resource. */
export function etagOf(resource: object): string {
  return hash('sha1', JSON.stringify(resource), 'hex').slice(0, 16);
}
