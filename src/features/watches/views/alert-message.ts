import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import {
  actions,
  actionsIfAny,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { mention, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import {
  type AlertChange,
  type AlertState,
  acknowledgeButton,
  detailsButton,
  formatAlertFacts,
  formatAlertState,
  formatAlertTitle,
  snoozeElement,
} from '../../alerts/index.ts';
import type { EndedSnooze } from '../watch.ts';

const maxNoteLength = 500;

/**
 * The message of an alert in a channel that watches it: state and resource, facts, owner, snooze and note.
 * An active alert can be snoozed; without an owner, it can be acknowledged.
 */
export function watchedAlertMessage(alert: Alert, state?: AlertState): Message {
  const lines = [
    formatAlertTitle(alert),
    formatAlertFacts(alert),
    ...formatAlertState(alert, state),
  ];
  const note = formatNote(alert);
  const details = detailsButton(alert);
  const acknowledge = state?.owner ? undefined : acknowledgeButton(alert);
  const snooze = isCleared(alert) ? undefined : snoozeElement(alert, state);
  const buttons = [acknowledge, snooze, details].filter((one) => one !== undefined);
  return message([
    section(lines.join('\n'), buttons.length > 1 ? undefined : details),
    ...(note ? [context(`Note: ${note}`)] : []),
    ...(buttons.length > 1 ? [actions(buttons)] : []),
  ]);
}

/** What changed about an alert, for the thread of its message. */
export function alertReplyMessage(
  alert: Alert,
  difference: {
    cleared: boolean;
    noted: boolean;
    raisedAgain: boolean;
    severityBefore: string | undefined;
    /** Names the person who made it. */
    change: AlertChange | undefined;
    /** Slack user id of the owner, if it is news to them. */
    notified: string | undefined;
    /** Its snooze, if that has just ended. */
    ended: EndedSnooze | undefined;
  },
): Message {
  const { cleared, noted, raisedAgain, severityBefore, change, notified, ended } = difference;
  const by = (what: AlertChange['what']) =>
    change?.what === what ? ` by ${mention(change.by)}` : '';
  const note = formatNote(alert);
  const lines = [
    ...(ended ? [formatEndedSnooze(ended)] : []),
    ...(notified === undefined ? [] : [`${mention(notified)} is the owner of this alert.`]),
    ...(raisedAgain ? [formatRecurrence(alert)] : []),
    ...(severityBefore === undefined ? [] : [formatSeverityChange(alert, severityBefore)]),
    ...(noted ? [note ? `Note${by('noted')}: ${note}` : `Note removed${by('noted')}`] : []),
    ...(cleared ? [formatCleared(alert, by('cleared'))] : []),
  ];
  return notice(lines.join('\n'));
}

function formatEndedSnooze({ notified, isWorse }: EndedSnooze): string {
  return isWorse
    ? `${mention(notified)}: the snooze has ended because this alert got worse.`
    : `${mention(notified)}: the snooze has ended. This alert is still active.`;
}

/** To somebody, about an alert that no channel has a message of. */
export function endedSnoozeMessage(alert: Alert, ended: EndedSnooze): Message {
  const lines = [formatEndedSnooze(ended), formatAlertTitle(alert), formatAlertFacts(alert)];
  const buttons = [acknowledgeButton(alert), snoozeElement(alert, undefined), detailsButton(alert)];
  return message([section(lines.join('\n')), ...actionsIfAny(buttons)]);
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
