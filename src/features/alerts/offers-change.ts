import type { CallOptions, ServiceClient } from '../../dataprotection/client.ts';
import { findOperation } from '../../dataprotection/dialects/find-operation.ts';
import { OperationUnavailableError, ServiceError } from '../../dataprotection/http/errors.ts';

/** Whether anybody may clear or note alerts there. Where the service does not say, the attempt will tell. */
export async function offersChange(client: ServiceClient, options?: CallOptions): Promise<boolean> {
  try {
    await findOperation(client, 'updateAlert', [], options);
    return true;
  } catch (error) {
    if (error instanceof OperationUnavailableError) return false;
    if (error instanceof ServiceError) return true;
    throw error;
  }
}
