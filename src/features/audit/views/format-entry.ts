import type { LogEvent } from '../../../audit-log/entry.ts';
import { bold, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AuditRecord } from '../audit-store.ts';
import { type Deed, deedOf } from './format-audited-change.ts';
import { objectionWords, refusalWords } from './format-reason.ts';
import { changeWords } from './format-settings-change.ts';

/** An entry, who did it, and what it is about, in parts of a sentence. */
type Told = Deed & { record: AuditRecord; who: string; request: string; someone: string };

/** Each event as a person would tell it: mrkdwn, without the words that were written with it. */
const sentences: Record<LogEvent, (told: Told) => string> = {
  requested: ({ who, wish }) => `${who} *asked* ${wish ? `to ${wish}` : 'for something'}`,
  not_posted: ({ who, request }) => `${who} *could not post* ${request}`,
  approved: ({ who, request }) => `${who} *approved* ${request}`,
  denied: ({ who, request }) => `${who} *denied* ${request}`,
  withdrawn: ({ who, request }) => `${who} *withdrew* ${request}`,
  expired: ({ request }) => `Nobody decided in time, so ${request} *expired*`,
  voided: ({ who, request }) => `${who} *voided* ${request}`,
  refused: (told) => `${told.who} *was refused* ${attempt(told)}`,
  started: ({ who, verb, someone, record }) =>
    `${who} *began ${verb.going}* ${someone}${triesOf(record)}`,
  // The step that it names is the one that waits; how long is not among the facts.
  scheduled: ({ who, verb, someone, record }) =>
    record.facts.reason === 'late'
      ? `${who} *waits again* before ${verb.going} ${someone}: it was away when the time came`
      : `${who} *waits* before ${verb.going} ${someone}, so that they can be kept`,
  succeeded: ({ who, verb, someone }) => `${who} *${verb.past}* ${someone}`,
  keep_asked: ({ who, someone }) => `${who} *asked to keep* ${someone}`,
  kept: ({ who, someone }) => `${who} *kept* ${someone}: the delete was stopped`,
  failed: ({ who, verb, someone, record }) =>
    record.facts.step === 'keep'
      ? `${who} stopped the delete of ${someone}, but *could not finish keeping them*`
      : `${who} *could not ${verb.plain}* ${someone}`,
  outcome_unknown: ({ who, verb, someone, record }) =>
    record.facts.reason === 'given_up'
      ? `${who} *gave up finding out* whether it ${verb.past} ${someone}`
      : `${who} *does not know yet* whether it ${verb.past} ${someone}`,
  approvers_changed: ({ who, record }) => `${who} *changed the approvers*${changeOf(record, ' ')}`,
  settings_changed: ({ who, record }) => `${who} *changed the settings*${changeOf(record, ': ')}`,
  connection_changed: ({ who }) => `${who} *changed the connection*`,
  alert_cleared: ({ who, someone, record }) =>
    isUnknown(record.facts)
      ? `${who} *may have cleared* ${someone}: ${unconfirmed}`
      : `${who} *cleared* ${someone}`,
  alert_noted: ({ who, someone, record }) => noted(record, who, someone),
  erased: ({ who, record }) => `${who} *erased the personal text* of ${entriesIn(record.facts)}`,
};

/** What happened, in one sentence without its full stop; then the id, where it has not named it. */
export function eventWords(record: AuditRecord, who: string): string {
  const deed = deedOf(record);
  const request = deed.wish ? `the request to ${deed.wish}` : 'a request';
  const someone = deed.subject ?? (record.event.startsWith('alert_') ? 'an alert' : 'a user');
  const tell = isLogEvent(record.event) ? sentences[record.event] : undefined;
  const told = { ...deed, record, who, request, someone };
  // An event of a newer Belay.
  const sentence = tell?.(told) ?? `${who} ${bold(record.event, 40)} ${request}`;
  const why = ownReason(record);
  return [why ? `${sentence}: ${why}` : sentence, deed.id].filter(Boolean).join(' · ');
}

export function isLogEvent(text: string): text is LogEvent {
  return Object.hasOwn(sentences, text);
}

export const logEvents = Object.keys(sentences).filter(isLogEvent);

const attempts = new Map([
  ['approved', 'approving'],
  ['denied', 'denying'],
  ['withdrawn', 'withdrawing'],
]);

/** What was refused, by the wish that the facts name; a clear names none. */
function attempt({ record: { action, subjectId, facts }, verb, request, wish, someone }: Told) {
  const deciding = attempts.get(String(facts.wish));
  if (deciding) return `when ${deciding} ${request}`;
  if (facts.wish === 'keep') return `when keeping ${someone}`;
  if (facts.wish === 'request') return `when asking ${wish ? `to ${wish}` : 'for something'}`;
  if (action) return `when ${verb.going} ${someone}`;
  return subjectId ? `something about ${someone}` : 'something';
}

/** Belay's own reason; none beside what came of it, which says it better. */
function ownReason({ event, facts, personal }: AuditRecord): string | undefined {
  if (personal.outcome || event === 'scheduled' || facts.reason === 'given_up') return undefined;
  const words = event === 'refused' ? refusalWords(facts.reason) : objectionWords(facts.reason);
  return words && safe(words, 200);
}

function triesOf({ facts: { attempt: count } }: AuditRecord): string {
  return typeof count === 'number' && count > 1 ? `, attempt ${count}` : '';
}

function changeOf({ facts }: AuditRecord, join: string): string {
  const words = changeWords(facts);
  return words ? `${join}${words}` : '';
}

/** Of a note whose text was erased nobody can say whether it was written or removed. */
function noted({ facts, personal }: AuditRecord, who: string, alert: string): string {
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

const shownEntries = 20;

function entriesIn({ entries }: AuditRecord['facts']): string {
  if (!Array.isArray(entries) || entries.length === 0) return 'other entries';
  const shown = entries.slice(0, shownEntries).map((entry) => safe(entry, 20));
  const more = entries.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `${entries.length === 1 ? 'entry' : 'entries'} ${list}`;
}
