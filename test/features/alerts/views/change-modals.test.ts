import { expect, it } from 'vitest';
import { validateView } from '../../../../playground/slack/validate/view.ts';
import {
  hashNotes,
  noteForm,
  noteModal,
} from '../../../../src/features/alerts/views/change-modals.ts';
import { decodeValue } from '../../../../src/slack/ui/codec.ts';
import { textsOf } from '../../message-parts.ts';

const alert = { id: 'a1', otherFields: {} };

it('warns if the current note is too long, because saving would truncate it', () => {
  const view = noteModal({ ...alert, notes: 'x'.repeat(2000) }, 'C1');
  expect(validateView(view)).toEqual([]);
  expect(textsOf(view.blocks).at(-1)).toContain('The current note is too long for this form.');
  const fitting = noteModal({ ...alert, notes: 'x'.repeat(1023) }, 'C1');
  expect(textsOf(fitting.blocks).at(-1)).not.toContain('too long');
});

it('contains the hash of the note that it shows', () => {
  const { private_metadata: metadata } = noteModal({ ...alert, notes: ' a "b" ' }, 'C1');
  expect(decodeValue(noteForm.metadata, metadata)).toEqual({
    alertId: 'a1',
    channelId: 'C1',
    notesHash: hashNotes(' a "b" '),
  });
  expect(hashNotes(undefined)).toBe(hashNotes(''));
  expect(hashNotes('a')).not.toBe(hashNotes('b'));
});
