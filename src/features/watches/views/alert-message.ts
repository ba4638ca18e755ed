import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import {
  actions,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { mention, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import {
  type AlertChange,
  type AlertOwner,
  acknowledgeButton,
  detailsButton,
  formatAlertFacts,
  formatAlertTitle,
  formatOwner,
} from '../../alerts/index.ts';

const maxNoteLength = 500;

/**
 * The message of an alert in a channel that watches it: state and resource, facts, owner and note. An
 * active alert without an owner can be acknowledged.
 */
export function watchedAlertMessage(alert: Alert, owner?: AlertOwner): Message {
  const owned = owner && formatOwner(alert, owner);
  const lines = [formatAlertTitle(alert), formatAlertFacts(alert), owned].filter(Boolean);
  const note = formatNote(alert);
  const details = detailsButton(alert);
  const acknowledge = owner ? undefined : acknowledgeButton(alert, { isWatched: true });
  return message([
    section(lines.join('\n'), acknowledge ? undefined : details),
    ...(note ? [context(`Note: ${note}`)] : []),
    ...(acknowledge && details ? [actions([acknowledge, details])] : []),
  ]);
}

/** What changed about an alert, for the thread of its message. */
export function alertReplyMessage(
  alert: Alert,
  difference: {
    cleared: boolean;
    noted: boolean;
    recurred: boolean;
    severityBefore: string | undefined;
    /** Names the person who made it. */
    change: AlertChange | undefined;
    /** Slack user id of the owner, if it is news to them. */
    told: string | undefined;
  },
): Message {
  const { cleared, noted, recurred, severityBefore, change, told } = difference;
  const by = (what: AlertChange['what']) =>
    change?.what === what ? ` by ${mention(change.by)}` : '';
  const note = formatNote(alert);
  const lines = [
    ...(told === undefined ? [] : [`${mention(told)} is the owner of this alert.`]),
    ...(recurred && told !== undefined ? [formatRecurrence(alert)] : []),
    ...(severityBefore === undefined ? [] : [formatSeverityChange(alert, severityBefore)]),
    ...(noted ? [note ? `Note${by('noted')}: ${note}` : `Note removed${by('noted')}`] : []),
    ...(cleared ? [formatCleared(alert, by('cleared'))] : []),
  ];
  return notice(lines.join('\n'));
}

function formatRecurrence({ raisedCount = 1 }: Alert): string {
  return raisedCount > 1 ? `Raised again, ${raisedCount} times so far` : 'Raised again';
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
