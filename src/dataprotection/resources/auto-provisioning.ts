import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { ForbiddenError, OperationUnavailableError } from '../http/errors.ts';
import { lenientObject, optional } from '../lenient-object.ts';

const settingSchema = lenientObject({ isEnabled: optional(z.boolean()) });

/**
 * Whether an identity provider sets the roles and units of users (§10 The live dialect), so that an
 * invitation can't. False if the service doesn't say.
 */
export async function readAutoProvisioning(
  client: ServiceClient,
  { signal }: CallOptions = {},
): Promise<boolean> {
  try {
    const target = await findOperation(client, 'readAutoProvisioning', [], { signal });
    const setting = await client.send({ method: 'GET', target, signal }, settingSchema);
    return setting.isEnabled === true;
  } catch (error) {
    if (error instanceof OperationUnavailableError || error instanceof ForbiddenError) return false;
    throw error;
  }
}
