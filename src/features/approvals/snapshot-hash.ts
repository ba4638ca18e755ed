import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The same for two bases that say the same, in whatever order they were read. */
export function digestOf(basis: unknown): string {
  return createHash('sha256')
    .update(canonicalize(basis) ?? '')
    .digest('base64url');
}
