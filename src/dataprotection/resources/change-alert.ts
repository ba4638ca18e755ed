import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { RequestRejectedError } from '../http/errors.ts';
import { describeRequest, requestPath } from '../http/request-path.ts';
import { alertSchema } from './alert-schema.ts';
import { type Alert, readAlert } from './alerts.ts';

/** In UTF-16 units, which are never fewer than characters. */
export const maxNotesLength = 1023;

/**
 * Writes the notes of an alert in place of those it had. Throws `RequestRejectedError` for notes
 * that are too long, and `OperationUnavailableError` where a service lets nobody write them.
 */
export async function annotateAlert(
  client: ServiceClient,
  alertId: string,
  notes: string,
  options: CallOptions = {},
): Promise<Alert> {
  const target = await findOperation(client, 'updateAlert', [alertId], options);
  if (notes.length > maxNotesLength) {
    throw new RequestRejectedError(`notes are longer than ${maxNotesLength} characters`, {
      request: describeRequest('PATCH', target, requestPath(client.baseUrl, target)),
      mayHaveActed: false,
    });
  }
  const { signal } = options;
  return client.send({ method: 'PATCH', target, body: { notes }, signal }, alertSchema);
}

/**
 * Clears an alert for good and keeps the notes it has: the service overwrites them on every change,
 * so they are read first and sent along. One that is cleared already stays as it is.
 */
export async function clearAlert(
  client: ServiceClient,
  alertId: string,
  options: CallOptions = {},
): Promise<Alert> {
  const target = await findOperation(client, 'updateAlert', [alertId], options);
  const { notes = '' } = await readAlert(client, alertId, options);
  const body = { notes, status: 'cleared' };
  return client.send({ method: 'PATCH', target, body, signal: options.signal }, alertSchema);
}
