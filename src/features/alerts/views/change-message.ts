import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { maxNotesLength } from '../../../dataprotection/resources/change-alert.ts';
import { actions, type Message, message, notice, section } from '../../../slack/ui/blocks.ts';
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
  const { alert } = outcome;
  const text = describe(outcome);
  const details = detailsButton(alert);
  return details ? message(text, [section(text), actions([details])]) : notice(text);
}

function describe(outcome: ChangeOutcome): string {
  const { result, alert } = outcome;
  const what = `${bold(nameOf(alert.primaryEntity), 100)} (${safe(problemOf(alert), 150)})`;
  switch (result) {
    case 'cleared':
      return `The alert about ${what} is cleared, for good.`;
    case 'was-cleared':
      return `The alert about ${what} was cleared already. Nothing was changed.`;
    case 'noted':
      return `Your note on the alert about ${what} is saved:\n${quoteNote(alert.notes)}`;
    case 'note-removed':
      return `The note on the alert about ${what} is removed.`;
    case 'same-note':
      return alert.notes?.trim()
        ? `The alert about ${what} has this note already. Nothing was changed.`
        : `The alert about ${what} has no note, so there is none to remove.`;
    case 'note-changed':
      return `Someone else changed the note on the alert about ${what} while you wrote. Nothing was saved. It says now:\n${quoteNote(alert.notes)}\nYou wrote:\n${quoteNote(outcome.typed)}\nOpen the details to write yours again.`;
    case 'unconfirmed':
      return `The data-protection service took the change of the alert about ${what}, but does not show it. It is not known whether it was made: look at the details before you try again.`;
  }
}

function quoteNote(note = ''): string {
  return note.trim() ? cutMrkdwn(quote(note, maxNotesLength), 1300) : '_(no note)_';
}
