import { type CallOptions, createServiceClient, type ServiceTransport } from './client.ts';
import type { ServiceConnection } from './connection.ts';
import { CredentialsRefusedError, NotAllowedError, ServiceError } from './errors.ts';
import { listUsers } from './users.ts';

export type ProbeResult =
  | { outcome: 'ok' }
  | { outcome: 'token-refused' }
  | { outcome: 'unit-refused' }
  | { outcome: 'failed'; error: ServiceError };

/**
 * Tries a connection with one GET /users (contract, sections 4 and 5). When that is not allowed
 * and a unit is set, one more without the unit, at the same origin, tells which of the two is
 * refused. Throws only the reason of a signal that is not a time-out.
 */
export async function probeConnection(
  connection: ServiceConnection,
  transport: ServiceTransport,
  options: CallOptions = {},
): Promise<ProbeResult> {
  try {
    await listUsers(createServiceClient(connection, transport), options).next();
    return { outcome: 'ok' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error instanceof CredentialsRefusedError) return { outcome: 'token-refused' };
    if (!(error instanceof NotAllowedError)) return { outcome: 'failed', error };
    if (connection.organizationalUnitId === undefined) return { outcome: 'token-refused' };

    const anyUnit = { ...connection, organizationalUnitId: undefined };
    const withoutUnit = await probeConnection(anyUnit, transport, options);
    return withoutUnit.outcome === 'ok' ? { outcome: 'unit-refused' } : withoutUnit;
  }
}
