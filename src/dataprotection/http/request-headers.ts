import type { ServiceConnection } from '../connection.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import { CredentialsRefusedError, ForbiddenError, type ServiceErrorFacts } from './errors.ts';

const printableAscii = /^[\x21-\x7e]+$/;

/** Refuses what would not survive as a header: no service can have issued such a value. */
export function assertSendable(connection: ServiceConnection, facts: ServiceErrorFacts): void {
  const { token, organizationalUnitId } = connection;
  if (!printableAscii.test(token)) {
    throw new CredentialsRefusedError('no token can look like the one given', facts);
  }
  if (organizationalUnitId !== undefined && !printableAscii.test(organizationalUnitId)) {
    throw new ForbiddenError('no organizational unit id can look like the one given', facts);
  }
}

/** The common request headers (contract, section 2) for a request to `path`, base path included. */
export function requestHeaders(
  { baseUrl, dialect, token, organizationalUnitId }: ServiceConnection,
  { path, hasBody }: { path: string; hasBody: boolean },
): Record<string, string> {
  const { accept, unitHeader } = wireFormat(dialect);
  return {
    authorization: `Bearer ${token}`,
    // Without it the service answers in its latest version, whatever that will be.
    accept: accept(belowBase(baseUrl, path)),
    ...(organizationalUnitId !== undefined && { [unitHeader]: organizationalUnitId }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

function belowBase(baseUrl: string, path: string): string {
  return path.slice(new URL(baseUrl).pathname.replace(/\/+$/, '').length);
}
