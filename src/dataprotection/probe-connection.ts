import {
  type CallOptions,
  createServiceClient,
  type ServiceClient,
  type ServiceTransport,
} from './client.ts';
import type { ServiceConnection } from './connection.ts';
import { CredentialsRefusedError, ForbiddenError, ServiceError } from './http/errors.ts';
import {
  listOrganizationalUnits,
  type OrganizationalUnit,
} from './resources/organizational-units.ts';
import { listUsers } from './resources/users.ts';

export type ProbeResult =
  /** Units to choose from if none is set; empty if the service doesn't list them. */
  | { outcome: 'ok'; units: OrganizationalUnit[] }
  | { outcome: 'token-refused' }
  /** With the units that the token can use, if the service lists them. */
  | { outcome: 'unit-refused'; units: OrganizationalUnit[] }
  | { outcome: 'failed'; error: ServiceError };

/**
 * Tries a connection with one GET /users (§4 Endpoints, §5 Authentication). If that is forbidden
 * and a unit is set, a second request without the unit shows whether the token or the unit is
 * refused. Throws only the reason of a signal that isn't a timeout.
 */
export async function probeConnection(
  connection: ServiceConnection,
  transport: ServiceTransport,
  options: CallOptions = {},
): Promise<ProbeResult> {
  const client = createServiceClient(connection, transport);
  const hasUnit = connection.organizationalUnitId !== undefined;
  try {
    await listUsers(client, options).next();
    return { outcome: 'ok', units: hasUnit ? [] : await readUnits(client, options) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error instanceof CredentialsRefusedError) return { outcome: 'token-refused' };
    if (!(error instanceof ForbiddenError)) return { outcome: 'failed', error };
    if (!hasUnit) return { outcome: 'token-refused' };

    const anyUnit = { ...connection, organizationalUnitId: undefined };
    const withoutUnit = await probeConnection(anyUnit, transport, options);
    return withoutUnit.outcome === 'ok' ? { ...withoutUnit, outcome: 'unit-refused' } : withoutUnit;
  }
}

/** Only the first page, which is enough to choose from. A connection without this list is fine. */
async function readUnits(
  client: ServiceClient,
  options: CallOptions,
): Promise<OrganizationalUnit[]> {
  try {
    const { value: page } = await listOrganizationalUnits(client, options).next();
    return page?.items ?? [];
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}
