import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import { type AlertChange, detailsButton, formatAlertLine } from '../../alerts/index.ts';

const maxNoteLength = 500;

/** The message of an alert in a channel that watches it. */
export function watchedAlertMessage(alert: Alert): Message {
  const line = formatAlertLine(alert);
  const note = formatNote(alert);
  const extra = [
    ...(note ? [`Note: ${note}`] : []),
    ...(isCleared(alert) ? [formatCleared(alert)] : []),
  ];
  const text = cutMrkdwn([line, ...extra].join('\n'), 3500);
  return message(text, [section(line, detailsButton(alert)), ...extra.map(context)]);
}

/** What changed about an alert, for the thread of its message. */
export function alertReplyMessage(
  alert: Alert,
  difference: {
    cleared: boolean;
    noted: boolean;
    severityBefore: string | undefined;
    /** Names the person who made it. */
    change: AlertChange | undefined;
  },
): Message {
  const { cleared, noted, severityBefore, change } = difference;
  const by = (what: AlertChange['what']) =>
    change?.what === what ? ` by ${mention(change.by)}` : '';
  const note = formatNote(alert);
  const lines = [
    ...(severityBefore === undefined ? [] : [formatSeverityChange(alert, severityBefore)]),
    ...(noted
      ? [note ? `Note${by('noted')}: ${note}` : `The note was removed${by('noted')}.`]
      : []),
    ...(cleared ? [formatCleared(alert, by('cleared'))] : []),
  ];
  const text = lines.join('\n');
  return message(text, [section(text)]);
}

function formatCleared({ clearedTimestamp }: Alert, by = ''): string {
  const at = parseTimestamp(clearedTimestamp);
  return at ? `Cleared${by} ${moment(at)}.` : `Cleared${by}.`;
}

function formatSeverityChange({ severity }: Alert, before: string): string {
  const now = severity ? safe(severity, 60) : 'not given';
  return `Severity is ${now} now, was ${safe(before, 60)}.`;
}

/** On one line, because a note with line breaks could imitate text of Belay. */
function formatNote({ notes }: Alert): string {
  return notes?.trim() ? quoteInline(notes, maxNoteLength) : '';
}
