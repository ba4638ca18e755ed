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
import { markTenant, type TenantMarks } from './tenant.ts';

export type ProbeResult =
  /** Units to choose from if none is set; empty if the service doesn't list them. */
  | { outcome: 'ok'; units: OrganizationalUnit[]; tenant: TenantMarks }
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
    const { value: page } = await listUsers(client, options).next();
    const units = hasUnit ? undefined : await readUnits(client, options);
    return { outcome: 'ok', units: units ?? [], tenant: markTenant(page?.items ?? [], units) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error instanceof CredentialsRefusedError) return { outcome: 'token-refused' };
    if (!(error instanceof ForbiddenError)) return { outcome: 'failed', error };
    if (!hasUnit) return { outcome: 'token-refused' };

    const anyUnit = { ...connection, organizationalUnitId: undefined };
    const withoutUnit = await probeConnection(anyUnit, transport, options);
    if (withoutUnit.outcome !== 'ok') return withoutUnit;
    return { outcome: 'unit-refused', units: withoutUnit.units };
  }
}

/** Only the first page, which is enough to choose from. Undefined if the service doesn't list them. */
async function readUnits(
  client: ServiceClient,
  options: CallOptions,
): Promise<OrganizationalUnit[] | undefined> {
  try {
    const { value: page } = await listOrganizationalUnits(client, options).next();
    return page?.items ?? [];
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
