import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The same for two bases that say the same, in whatever order they were read. */
export function hashSnapshot(snapshot: unknown): string {
  return createHash('sha256')
    .update(canonicalize(snapshot) ?? '')
    .digest('base64url');
}
