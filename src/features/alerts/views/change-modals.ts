import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { maxNotesLength } from '../../../dataprotection/resources/change-alert.ts';
import { context, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { personField, textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { AlertState } from '../store/alert-states.ts';
import { alertHeading } from './alert-section.ts';
import { alertValue } from './ids.ts';

export const noteForm = defineForm('alerts.note', {
  /** `notesHash` is the hash of the notes that the modal was opened with. */
  metadata: alertValue.extend({ notesHash: z.string() }),
  fields: {
    note: textField({
      label: 'Note',
      hint: `Visible in Slack and in the service's portal. At most ${maxNotesLength} characters. Leave empty to remove the note.`,
      maxLength: maxNotesLength,
      isMultiline: true,
      isFocused: true,
      isOptional: true,
    }),
  },
});

/** Edits the note of an alert. The service keeps one note per alert, shared by everybody. */
export function noteModal(alert: Alert, channelId: string | undefined): ModalView {
  const notes = alert.notes?.trim() ?? '';
  return noteForm.modal({
    title: notes ? 'Edit note' : 'Add note',
    submit: 'Save note',
    metadata: { alertId: alert.id, channelId, notesHash: hashNotes(alert.notes) },
    blocks: [
      alertHeading(alert),
      noteForm.fields.note.block(notes.slice(0, maxNotesLength)),
      ...tooLongBlocks(notes),
    ],
  });
}

function tooLongBlocks(notes: string): KnownBlock[] {
  if (notes.length <= maxNotesLength) return [];
  return [
    context(
      `:warning: The current note is too long for this form. Saving keeps only its first ${maxNotesLength} characters.`,
    ),
  ];
}

export const clearForm = defineForm('alerts.clear', { metadata: alertValue, fields: {} });

/** Asks for confirmation: the service can't make a cleared alert active again. */
export function clearModal(alert: Alert, channelId: string | undefined): ModalView {
  return clearForm.modal({
    title: 'Clear alert',
    submit: 'Clear alert',
    metadata: { alertId: alert.id, channelId },
    blocks: [
      alertHeading(alert),
      section(
        ":warning: *This can't be undone.* Clearing removes the alert from the list of active alerts. It doesn't fix the problem.",
      ),
      section('The note stays. The audit log records that you cleared the alert.'),
    ],
  });
}

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

export const assignForm = defineForm('alerts.assign', {
  metadata: alertValue,
  fields: {
    person: personField({ label: 'Owner', hint: 'Belay sends them a direct message.' }),
  },
});

export function assignModal(
  alert: Alert,
  channelId: string | undefined,
  owner: AlertState['owner'],
): ModalView {
  return assignForm.modal({
    title: 'Assign alert',
    submit: 'Assign',
    metadata: { alertId: alert.id, channelId },
    blocks: [alertHeading(alert), assignForm.fields.person.block(owner?.slackUserId)],
  });
}

/** Identifies the notes that a modal was opened with, which may be too long to carry. */
export function hashNotes(notes: string | undefined): string {
  return createHash('sha256')
    .update(notes ?? '')
    .digest('base64url');
}
