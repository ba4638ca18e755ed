import { createServiceClient, type ServiceTransport } from '../../dataprotection/client.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import {
  listOrganizationalUnits,
  type OrganizationalUnit,
} from '../../dataprotection/resources/organizational-units.ts';
import { maxOffered } from './views/unit-field.ts';

/** Somebody is waiting for the form, and it works without a menu. */
const patienceMs = 2000;

/**
 * All the units that a token may use, whichever the connection names; undefined where the service
 * does not tell them in time, or when there are more than a menu holds.
 */
export async function listUnits(
  connection: ServiceConnection,
  transport: ServiceTransport,
): Promise<OrganizationalUnit[] | undefined> {
  const client = createServiceClient({ ...connection, organizationalUnitId: undefined }, transport);
  const signal = AbortSignal.timeout(patienceMs);
  const units: OrganizationalUnit[] = [];
  try {
    for await (const { items } of listOrganizationalUnits(client, { signal })) {
      units.push(...items);
      if (units.length > maxOffered) return undefined;
    }
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
  return units;
}
