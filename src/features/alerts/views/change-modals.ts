import { createHash } from 'node:crypto';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { maxNotesLength } from '../../../dataprotection/resources/change-alert.ts';
import { context, input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { focused, textElement } from '../../../slack/ui/view-values.ts';
import { alertHeading } from './alert-section.ts';
import { clearCallbackId, noteCallbackId } from './ids.ts';

export const noteBlockId = 'note';

/** Edits the note of an alert. The service keeps one note per alert, shared by everybody. */
export function noteModal(alert: Alert, channelId: string | undefined): ModalView {
  const notes = alert.notes?.trim() ?? '';
  return formModal({
    title: notes ? 'Edit note' : 'Add note',
    callbackId: noteCallbackId,
    submit: 'Save note',
    metadata: encodeValue({
      alertId: alert.id,
      channelId,
      notesHash: hashNotes(alert.notes),
    }),
    blocks: [
      alertHeading(alert),
      input({
        blockId: noteBlockId,
        label: 'Note',
        hint: `Visible to everyone who can see the alert, including in the service's portal. At most ${maxNotesLength} characters. Leave empty to remove the note.`,
        element: focused(
          textElement({
            maxLength: maxNotesLength,
            initial: notes.slice(0, maxNotesLength),
            isMultiline: true,
          }),
        ),
        isOptional: true,
      }),
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

/** Asks for confirmation: the service can't make a cleared alert active again. */
export function clearModal(alert: Alert, channelId: string | undefined): ModalView {
  return formModal({
    title: 'Clear alert',
    callbackId: clearCallbackId,
    submit: 'Clear alert',
    metadata: encodeValue({ alertId: alert.id, channelId }),
    blocks: [
      alertHeading(alert),
      section(
        ":warning: *This can't be undone.* Clearing removes the alert from the list of active alerts. It doesn't fix the problem.",
      ),
      section('The note stays. The audit log records that you cleared the alert.'),
    ],
  });
}

/** Identifies the notes that a modal was opened with, which may be too long to carry. */
export function hashNotes(notes: string | undefined): string {
  return createHash('sha256')
    .update(notes ?? '')
    .digest('base64url');
}
