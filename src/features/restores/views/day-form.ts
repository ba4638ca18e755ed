import { defineForm } from '../../../slack/ui/form.ts';
import { dateField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { type BackupQuery, backupQuery } from './ids.ts';

/** Asks for the day of which a list shows the backups. */
export const dayForm = defineForm('restores.choose-day', {
  metadata: backupQuery,
  fields: { day: dateField({ label: 'Day', hint: 'In your time zone.' }) },
});

export function dayModal(query: BackupQuery): ModalView {
  const { day } = dayForm.fields;
  return dayForm.modal({
    title: 'Backups of one day',
    submit: 'Show backups',
    metadata: query,
    blocks: [day.block(query.day)],
  });
}
