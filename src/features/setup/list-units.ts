import { createServiceClient, type ServiceTransport } from '../../dataprotection/client.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import {
  listOrganizationalUnits,
  type OrganizationalUnit,
} from '../../dataprotection/resources/organizational-units.ts';
import { limits } from '../../slack/ui/limits.ts';

/** What a menu holds beside the option for the token's own unit. */
export const maxListedUnits = limits.optionsPerMenu - 1;

/** Somebody waits for the form, which works without a menu too. */
const timeoutMs = 2000;

/**
 * All units that the token may use, whichever the connection names. Undefined if the service does not
 * list them in time, or if they are more than a menu holds.
 */
export async function listUnits(
  connection: ServiceConnection,
  transport: ServiceTransport,
): Promise<OrganizationalUnit[] | undefined> {
  const client = createServiceClient({ ...connection, organizationalUnitId: undefined }, transport);
  const signal = AbortSignal.timeout(timeoutMs);
  const units: OrganizationalUnit[] = [];
  try {
    for await (const { items } of listOrganizationalUnits(client, { signal })) {
      units.push(...items);
      if (units.length > maxListedUnits) return undefined;
    }
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
  return units;
}
