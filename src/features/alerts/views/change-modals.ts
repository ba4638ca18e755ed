import { createHash } from 'node:crypto';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { maxNotesLength } from '../../../dataprotection/resources/change-alert.ts';
import { context, input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import { alertHeading } from './alert-section.ts';
import { clearCallbackId, noteCallbackId } from './ids.ts';

export const noteBlockId = 'note';

/** Edits the note of an alert. The service keeps one note per alert, shared by everybody. */
export function noteModal(alert: Alert, channelId: string | undefined): ModalView {
  const notes = alert.notes?.trim() ?? '';
  return formModal({
    title: 'Note on an alert',
    callbackId: noteCallbackId,
    submit: 'Save note',
    metadata: encodeValue({
      alertId: alert.id,
      channelId,
      seenDigest: hashNotes(alert.notes),
    }),
    blocks: [
      alertHeading(alert),
      input({
        blockId: noteBlockId,
        label: 'Note',
        hint: `Everybody who sees the alert sees it, in the service's own portal too. At most ${maxNotesLength} characters; an empty field removes the note.`,
        element: textElement({
          maxLength: maxNotesLength,
          initial: notes.slice(0, maxNotesLength),
          isMultiline: true,
        }),
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
      `:warning: The present note is longer than the service takes today. Only its first ${maxNotesLength} characters are here; saving drops the rest.`,
    ),
  ];
}

/** Asks for confirmation: the service can't make a cleared alert active again. */
export function clearModal(alert: Alert, channelId: string | undefined): ModalView {
  return formModal({
    title: 'Clear this alert?',
    callbackId: clearCallbackId,
    submit: 'Clear for good',
    metadata: encodeValue({ alertId: alert.id, channelId }),
    blocks: [
      alertHeading(alert),
      section(
        ':warning: *This cannot be undone.* A cleared alert never becomes active again. Clearing does not solve the problem; it only takes the alert off the list.',
      ),
      section('Its note stays. The decision log will say that you cleared it.'),
    ],
  });
}

/** Identifies the notes that a modal was opened with, which may be too long to carry. */
export function hashNotes(notes: string | undefined): string {
  return createHash('sha256')
    .update(notes ?? '')
    .digest('base64url');
}
