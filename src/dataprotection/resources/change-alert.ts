import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { RequestRejectedError } from '../http/errors.ts';
import { describeRequest, requestPath } from '../http/request-path.ts';
import { type Alert, alertSchema } from './alert-schema.ts';
import { readAlert } from './alerts.ts';

/** In UTF-16 code units, which are never fewer than characters (§10 The live dialect). */
export const maxNotesLength = 1023;

/**
 * Replaces the notes of an alert (§10 The live dialect).
 * @throws {RequestRejectedError} if the notes are too long.
 * @throws {OperationUnavailableError} if the service doesn't let alerts be changed.
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
      request: describeRequest('PATCH', client.baseUrl, requestPath(client.baseUrl, target)),
      mayHaveActed: false,
    });
  }
  const { signal } = options;
  return client.send({ method: 'PATCH', target, body: { notes }, signal }, alertSchema);
}

/**
 * Clears an alert, which can't be undone (§10 The live dialect). Every change overwrites the notes,
 * so they are read first and sent again, with `addedNote` below them if that fits. An alert that is
 * already cleared stays as it is.
 * @throws {OperationUnavailableError} if the service doesn't let alerts be changed.
 */
export async function clearAlert(
  client: ServiceClient,
  alertId: string,
  { addedNote = '', ...options }: CallOptions & { addedNote?: string | undefined } = {},
): Promise<Alert> {
  const target = await findOperation(client, 'updateAlert', [alertId], options);
  const { notes = '' } = await readAlert(client, alertId, options);
  const body = { notes: addNote(notes, addedNote), status: 'cleared' };
  return client.send({ method: 'PATCH', target, body, signal: options.signal }, alertSchema);
}

function addNote(notes: string, added: string): string {
  if (notes.includes(added)) return notes;
  const both = [notes, added].filter(Boolean).join('\n');
  return both.length <= maxNotesLength ? both : notes;
}
