import type { ServiceConnection } from './connection.ts';
import { CredentialsRefusedError, NotAllowedError, type ServiceErrorFacts } from './errors.ts';

const printableAscii = /^[\x21-\x7e]+$/;

/** Refuses what would not survive as a header: no service can have issued such a value. */
export function assertSendable(connection: ServiceConnection, facts: ServiceErrorFacts): void {
  const { token, organizationalUnitId } = connection;
  if (!printableAscii.test(token)) {
    throw new CredentialsRefusedError('no token can look like the one given', facts);
  }
  if (organizationalUnitId !== undefined && !printableAscii.test(organizationalUnitId)) {
    throw new NotAllowedError('no organizational unit id can look like the one given', facts);
  }
}

/** The common request headers (contract, section 2). */
export function requestHeaders(
  { token, organizationalUnitId }: ServiceConnection,
  hasBody: boolean,
): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    // Without it the service answers in its latest version, whatever that will be.
    accept: 'application/api.service.*=v1+json',
    ...(organizationalUnitId !== undefined && {
      'x-service-organizationalunit-context': organizationalUnitId,
    }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}
