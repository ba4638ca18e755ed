import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { alertLine, type Deed, detailsButton } from '../../alerts/index.ts';
import { factsOf, serviceMoment } from '../alert-facts.ts';

const maxNoteLength = 500;

/** The one message of an alert in a watching channel, as the alert is now. */
export function watchedAlertMessage(alert: Alert): Message {
  const line = alertLine(alert);
  const note = noteOf(alert);
  const extra = [
    ...(note ? [`Note: ${note}`] : []),
    ...(isCleared(alert) ? [clearedLine(alert)] : []),
  ];
  const text = cutMrkdwn([line, ...extra].join('\n'), 3500);
  return message(text, [section(line, detailsButton(alert)), ...extra.map(context)]);
}

/** What is new about an alert, for the thread of its message. */
export function alertReplyMessage(
  alert: Alert,
  change: {
    cleared: boolean;
    noted: boolean;
    severityBefore: string | undefined;
    deed: Deed | undefined;
  },
): Message {
  const { cleared, noted, severityBefore } = change;
  const by = (what: Deed['what']) =>
    change.deed?.what === what ? ` by ${mention(change.deed.by)}` : '';
  const note = noteOf(alert);
  const lines = [
    ...(severityBefore === undefined ? [] : [severityLine(alert, severityBefore)]),
    ...(noted
      ? [note ? `Note${by('noted')}: ${note}` : `The note was removed${by('noted')}.`]
      : []),
    ...(cleared ? [clearedLine(alert, by('cleared'))] : []),
  ];
  const text = lines.join('\n');
  return message(text, [section(text)]);
}

function isCleared(alert: Alert): boolean {
  return factsOf(alert).isCleared;
}

function clearedLine({ clearedTimestamp }: Alert, by = ''): string {
  const at = serviceMoment(clearedTimestamp);
  return at ? `Cleared${by} ${moment(at)}.` : `Cleared${by}.`;
}

function severityLine({ severity }: Alert, before: string): string {
  const now = severity ? safe(severity, 60) : 'not given';
  return `Severity is ${now} now, was ${safe(before, 60)}.`;
}

/** On one line, or a note could look like more messages of Belay. */
function noteOf({ notes }: Alert): string {
  const note = safe(notes?.replaceAll(/\s+/g, ' ').trim() ?? '', maxNoteLength);
  return note && `“${note}”`;
}
