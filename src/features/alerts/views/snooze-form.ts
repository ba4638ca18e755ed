import { z } from 'zod';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { alertHeading } from './alert-section.ts';
import { alertValue } from './ids.ts';

export const maxSnoozeDays = 30;

export const snoozeForm = defineForm('alerts.snooze', {
  metadata: alertValue.extend({ timeZone: z.string().optional() }),
  fields: {
    until: textField({
      label: 'Until',
      hint: `For example 3h, tomorrow, friday 14:00 or 2026-12-01 09:00, in your time zone. At most ${maxSnoozeDays} days.`,
      maxLength: 60,
      isFocused: true,
      missing: 'Enter when the snooze ends.',
    }),
  },
});

/** `timeZone`: in which the time is typed. */
export function snoozeModal(
  alert: Alert,
  channelId: string | undefined,
  timeZone: string | undefined,
): ModalView {
  return snoozeForm.modal({
    title: 'Snooze alert',
    submit: 'Snooze',
    metadata: { alertId: alert.id, channelId, timeZone },
    blocks: [alertHeading(alert), snoozeForm.fields.until.block()],
  });
}
