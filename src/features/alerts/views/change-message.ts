import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { maxNotesLength } from '../../../dataprotection/resources/change-alert.ts';
import { actionsIfAny, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { bold, cutMrkdwn, quote, safe } from '../../../slack/ui/mrkdwn.ts';
import { detailsButton } from './alert-buttons.ts';
import { nameOf, problemOf } from './format-alert.ts';

export type ChangeOutcome =
  | { result: 'cleared' | 'was-cleared' | 'noted' | 'note-removed' | 'same-note'; alert: Alert }
  /** The note changed since the modal was opened; `typed` was not saved. */
  | { result: 'note-changed'; alert: Alert; typed: string }
  /** The service answered, but shows the alert unchanged. */
  | { result: 'unconfirmed'; alert: Alert };

/** The result of a change, with a button that opens the alert again. */
export function changeMessage(outcome: ChangeOutcome): Message {
  return message([section(describe(outcome)), ...actionsIfAny([detailsButton(outcome.alert)])]);
}

function describe(outcome: ChangeOutcome): string {
  const { result, alert } = outcome;
  const what = `${bold(nameOf(alert.primaryEntity), 100)} (${safe(problemOf(alert), 150)})`;
  switch (result) {
    case 'cleared':
      return `:white_check_mark: Alert cleared: ${what}.`;
    case 'was-cleared':
      return `This alert was already cleared: ${what}. Nothing was changed.`;
    case 'noted':
      return `Note saved: ${what}\n${quoteNote(alert.notes)}`;
    case 'note-removed':
      return `Note removed: ${what}.`;
    case 'same-note':
      return alert.notes?.trim()
        ? `This alert already has this note: ${what}.`
        : `This alert has no note: ${what}.`;
    case 'note-changed':
      return `Your note wasn't saved: somebody else changed the note while you were writing. ${what}\nCurrent note:\n${quoteNote(alert.notes)}\nYour note:\n${quoteNote(outcome.typed)}\nTo save yours, select *View details* and edit the note.`;
    case 'unconfirmed':
      return `The service accepted the change but doesn't show it yet: ${what}. Select *View details* to check before you try again.`;
  }
}

function quoteNote(note = ''): string {
  return note.trim() ? cutMrkdwn(quote(note, maxNotesLength), 1300) : '> (no note)';
}
