import { z } from 'zod';
import { type Answer, json } from '../answer.ts';
import type { Call } from '../call.ts';
import { refuseInvalid } from '../invalid-body.ts';
import type { Alert } from '../resources.ts';
import { renderAlert, unknownAlert } from './alerts.ts';

/** Notes must be sent, and replace what was there; a client that sends no status may send null. */
const changesSchema = z.strictObject({
  notes: z.string().max(1023, 'must be shorter than 1024 characters'),
  status: z.literal('cleared').nullish(),
});

/** Clearing cannot be undone. Asked of an alert that is cleared already, it changes nothing. */
export function changeAlert(call: Call): Answer {
  const { store, resourceId, unit, now, body } = call;
  const found = store.alerts.find(resourceId, unit.id);
  if (!found) return unknownAlert(resourceId);
  const changes = changesSchema.safeParse(body);
  if (!changes.success) return refuseInvalid(changes.error);

  const { notes, status } = changes.data;
  const alert = found.resource;
  const clears = status === 'cleared' && alert.status !== 'cleared';
  const time = now.toISOString();
  const cleared: Partial<Alert> = clears
    ? { status: 'cleared', cleared_timestamp: time, updated_timestamp: time }
    : {};
  const changed = { ...alert, notes, ...cleared };
  store.alerts.replace(changed);
  return json(200, renderAlert({ ...found, resource: changed }));
}
