import type { AuditEvent } from '../../../audit-log/entry.ts';
import { refusals, refusedAttempts, stopReasons } from '../../../audit-log/registry.ts';
import { bold, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import { formatSettingsChange } from './format-settings-change.ts';
import { type AuditedChange, auditedChange } from './format-subject.ts';

/** An entry, who acted, and what it is about, as parts of a sentence: mrkdwn. */
type Parts = Pick<AuditedChange, 'verb'> & {
  record: AuditRecord;
  who: string;
  /** "the request to disable Kim Lee". */
  theRequest: string;
  /** "to disable Kim Lee". */
  toDo: string;
  subject: string;
};

/** Each event as a sentence without its full stop, and without the personal text of the entry. */
const sentences: Record<AuditEvent, (parts: Parts) => string> = {
  requested: ({ who, toDo }) => `${who} *asked* ${toDo}`,
  not_posted: ({ who, theRequest }) => `${who} *could not post* ${theRequest}`,
  approved: ({ who, theRequest }) => `${who} *approved* ${theRequest}`,
  denied: ({ who, theRequest }) => `${who} *denied* ${theRequest}`,
  withdrawn: ({ who, theRequest }) => `${who} *withdrew* ${theRequest}`,
  expired: ({ theRequest }) => `Nobody decided in time, so ${theRequest} *expired*`,
  voided: ({ who, theRequest }) => `${who} *voided* ${theRequest}`,
  refused: (parts) =>
    `${parts.who} *was refused* ${formatAttempt(parts)}${formatTimes(parts.record)}`,
  started: ({ who, verb, subject, record }) =>
    `${who} *began ${verb.progressive}* ${subject}${formatAttemptNumber(record)}`,
  // `facts.step` is the step that waits; its delay is not stored.
  scheduled: ({ who, verb, subject, record }) =>
    record.facts.reason === stopReasons.late.id
      ? `${who} *waits again* before ${verb.progressive} ${subject}: ${stopReasons.late.text}`
      : `${who} *waits* before ${verb.progressive} ${subject}, so that they can be kept`,
  succeeded: ({ who, verb, subject, record }) =>
    record.facts.reason === stopReasons.notNeeded.id
      ? `${who} *did not need to ${verb.plain}* ${subject}`
      : `${who} *${verb.past}* ${subject}`,
  keep_asked: ({ who, subject }) => `${who} *asked to keep* ${subject}`,
  kept: ({ who, subject }) => `${who} *kept* ${subject}: the delete was stopped`,
  failed: ({ who, verb, subject, record }) =>
    record.facts.step === 'keep'
      ? `${who} stopped the delete of ${subject}, but *could not finish keeping them*`
      : `${who} *could not ${verb.plain}* ${subject}`,
  outcome_unknown: ({ who, verb, subject, record }) =>
    record.facts.reason === stopReasons.gaveUp.id
      ? `${who} *${stopReasons.gaveUp.text}* whether it ${verb.past} ${subject}`
      : `${who} *does not know yet* whether it ${verb.past} ${subject}`,
  approvers_changed: ({ who, record }) =>
    `${who} *changed the approvers*${formatChange(record, ' ')}`,
  settings_changed: ({ who, record }) =>
    `${who} *changed the settings*${formatChange(record, ': ')}`,
  connection_changed: ({ who }) => `${who} *changed the connection*`,
  alert_cleared: ({ who, subject, record }) =>
    isUnknown(record.facts)
      ? `${who} *may have cleared* ${subject}: ${unconfirmed}`
      : `${who} *cleared* ${subject}`,
  alert_noted: ({ who, subject, record }) => formatNote(record, who, subject),
  erased: ({ who, record }) =>
    `${who} *erased the personal text* of ${formatEntryNumbers(record.facts)}`,
  key_changed: ({ who }) => `${who} *changed the key* that signs the audit log`,
};

/** What happened, in one sentence, its reason, and the subject's id where the sentence lacks it. */
export function formatEntry(record: AuditRecord, who: string): string {
  const { verb, subject, request, id } = auditedChange(record);
  const theRequest = request ? `the request to ${request}` : 'a request';
  const format = isLogEvent(record.event) ? sentences[record.event] : undefined;
  const sentence =
    format?.({
      ...{ record, who, verb, theRequest },
      toDo: request ? `to ${request}` : 'for something',
      subject: subject ?? (record.event.startsWith('alert_') ? 'an alert' : 'a user'),
    }) ??
    // An event of a newer version.
    `${who} ${bold(record.event, 40)} ${theRequest}`;
  const reason = formatOwnReason(record);
  return [reason ? `${sentence}: ${reason}` : sentence, id].filter(Boolean).join(' · ');
}

export function isLogEvent(text: string): text is AuditEvent {
  return Object.hasOwn(sentences, text);
}

export const logEvents = Object.keys(sentences).filter(isLogEvent);

/** What was refused, by `facts.wish`, which entries about alerts do not have. */
function formatAttempt({ record, verb, theRequest, toDo, subject }: Parts): string {
  const { action, subjectId, facts } = record;
  switch (facts.wish) {
    case refusedAttempts.approve:
      return `when approving ${theRequest}`;
    case refusedAttempts.deny:
      return `when denying ${theRequest}`;
    case refusedAttempts.withdraw:
      return `when withdrawing ${theRequest}`;
    case refusedAttempts.cancel:
      return `when keeping ${subject}`;
    case refusedAttempts.use:
      return 'when using Belay';
    case refusedAttempts.request:
      return `when asking ${toDo}`;
    default:
      if (action) return `when ${verb.progressive} ${subject}`;
      return subjectId ? `something about ${subject}` : 'something';
  }
}

/** Belay's own reason; none beside the outcome, which says more, or in a sentence that has it. */
function formatOwnReason({ event, facts, personal }: AuditRecord): string | undefined {
  if (personal.outcome || event === 'scheduled' || facts.reason === stopReasons.gaveUp.id) {
    return undefined;
  }
  const text = formatReason(facts.reason, event === 'refused' ? refusals : stopReasons);
  return text && safe(text, 200);
}

/** The text of a reason's id; ids of newer versions are shown as they are, without punctuation. */
export function formatReason(
  id: unknown,
  reasons: Record<string, { id: string; text: string }>,
): string | undefined {
  if (typeof id !== 'string' || !id) return undefined;
  const known = Object.values(reasons).find((reason) => reason.id === id);
  return known?.text ?? id.replaceAll(/[_-]/g, ' ');
}

function formatAttemptNumber({ facts: { attempt: count } }: AuditRecord): string {
  return typeof count === 'number' && count > 1 ? `, attempt ${count}` : '';
}

/** Of a repeated refusal, which is not an entry each time. */
function formatTimes({ facts: { times } }: AuditRecord): string {
  return typeof times === 'number' ? `, ${times} times within a day` : '';
}

function formatChange({ facts }: AuditRecord, join: string): string {
  const change = formatSettingsChange(facts);
  return change ? `${join}${change}` : '';
}

/** Whether the note was written or removed is unknown once its text was erased. */
function formatNote({ facts, personal }: AuditRecord, who: string, alert: string): string {
  if (isUnknown(facts)) return `${who} *may have changed the note* on ${alert}: ${unconfirmed}`;
  if (personal.note === undefined) return `${who} *changed the note* on ${alert}`;
  return personal.note
    ? `${who} *wrote a note* on ${alert}`
    : `${who} *removed the note* on ${alert}`;
}

const unconfirmed = 'the service did not confirm it';

function isUnknown({ outcome }: AuditRecord['facts']): boolean {
  return outcome === 'unknown';
}

const maxShownEntries = 20;

function formatEntryNumbers({ entries }: AuditRecord['facts']): string {
  if (!Array.isArray(entries) || entries.length === 0) return 'other entries';
  const shown = entries.slice(0, maxShownEntries).map((entry) => safe(entry, 20));
  const more = entries.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `${entries.length === 1 ? 'entry' : 'entries'} ${list}`;
}
