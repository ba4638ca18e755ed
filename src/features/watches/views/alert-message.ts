import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { context, type Message, message, notice, section } from '../../../slack/ui/blocks.ts';
import { mention, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import {
  type AlertChange,
  detailsButton,
  formatAlertFacts,
  formatAlertTitle,
} from '../../alerts/index.ts';

const maxNoteLength = 500;

/** The message of an alert in a channel that watches it: state and resource, facts, and its note. */
export function watchedAlertMessage(alert: Alert): Message {
  const lines = `${formatAlertTitle(alert)}\n${formatAlertFacts(alert)}`;
  const note = formatNote(alert);
  return message([
    section(lines, detailsButton(alert)),
    ...(note ? [context(`Note: ${note}`)] : []),
  ]);
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
    ...(noted ? [note ? `Note${by('noted')}: ${note}` : `Note removed${by('noted')}`] : []),
    ...(cleared ? [formatCleared(alert, by('cleared'))] : []),
  ];
  return notice(lines.join('\n'));
}

function formatCleared({ clearedTimestamp }: Alert, by: string): string {
  const at = parseTimestamp(clearedTimestamp);
  return `:white_check_mark: Cleared${by}${at ? ` · ${moment(at)}` : ''}`;
}

function formatSeverityChange({ severity }: Alert, before: string): string {
  return `Severity changed from ${safe(before, 60)} to ${severity ? safe(severity, 60) : 'none'}`;
}

/** On one line, because a note with line breaks could imitate text of Belay. */
function formatNote({ notes }: Alert): string {
  return notes?.trim() ? quoteInline(notes, maxNoteLength) : '';
}
