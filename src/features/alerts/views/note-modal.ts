import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { maxNotesLength } from '../../../dataprotection/resources/change-alert.ts';
import { context, input, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import { alertHeading } from './alert-section.ts';
import { alertValue } from './alert-values.ts';
import { noteCallbackId } from './ids.ts';

export const noteBlockId = 'note';

export const noteMetadata = alertValue.extend({ seenDigest: z.string() });

/** Edits the note of an alert, of which a service keeps one for everybody. */
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

/** Tells whether a note is still the one that was shown, without carrying it. */
export function hashNotes(notes: string | undefined): string {
  return createHash('sha256')
    .update(notes ?? '')
    .digest('base64url');
}
