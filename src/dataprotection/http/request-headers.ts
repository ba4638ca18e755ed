import { parseBaseUrl } from '../base-url.ts';
import type { ServiceConnection } from '../connection.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { CredentialsRefusedError, ForbiddenError, type ServiceErrorFacts } from './errors.ts';

const printableAscii = /^[\x21-\x7e]+$/;

/**
 * Rejects values that can't be sent in a header. No service can have issued one.
 * @throws {CredentialsRefusedError | ForbiddenError} without having sent anything.
 */
export function assertSendable(connection: ServiceConnection, facts: ServiceErrorFacts): void {
  const { token, organizationalUnitId } = connection;
  if (!printableAscii.test(token)) {
    throw new CredentialsRefusedError('not a valid token', facts);
  }
  if (organizationalUnitId !== undefined && !printableAscii.test(organizationalUnitId)) {
    throw new ForbiddenError('not a valid organizational unit id', facts);
  }
}

/** Common request headers (§2 Resources and their fields); `path` includes the base path. */
export function requestHeaders(
  { baseUrl, dialect, token, organizationalUnitId }: ServiceConnection,
  { path, hasBody }: { path: string; hasBody: boolean },
): Record<string, string> {
  const { accept, unitHeader } = dialectRules[dialect];
  return {
    authorization: `Bearer ${token}`,
    // Without it the service responds in its latest version, whatever that is (§9 Versioning).
    accept: accept(belowBase(baseUrl, path)),
    ...(organizationalUnitId !== undefined && { [unitHeader]: organizationalUnitId }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

function belowBase(baseUrl: string, path: string): string {
  return path.slice(parseBaseUrl(baseUrl).path.length);
}
