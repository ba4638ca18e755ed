import { code, safe, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import type { AuditRecord } from '../audit-store.ts';

/** "disable", "disabled", "disabling". */
type Verb = { plain: string; past: string; going: string };

/** What an entry is about, as parts of a sentence: mrkdwn. */
export type Deed = {
  /** What was begun or done: the first step of a delete disables. */
  verb: Verb;
  /** Whom or what it is done to: "Kim Lee (kim@example.com)"; undefined when nothing tells. */
  subject: string | undefined;
  /** What was asked for: "delete Kim Lee (kim@example.com)". */
  wish: string | undefined;
  /** The id of the subject, where the other parts do not have it. */
  id: string | undefined;
};

const disable: Verb = { plain: 'disable', past: 'disabled', going: 'disabling' };
const enable: Verb = { plain: 're-enable', past: 're-enabled', going: 're-enabling' };
const rename: Verb = { plain: 'rename', past: 'renamed', going: 'renaming' };
const remove: Verb = { plain: 'delete', past: 'deleted', going: 'deleting' };
const keep: Verb = { plain: 'keep', past: 'kept', going: 'keeping' };
const clear: Verb = { plain: 'clear', past: 'cleared', going: 'clearing' };
const note: Verb = {
  plain: 'change the note on',
  past: 'changed the note on',
  going: 'changing the note on',
};
const other: Verb = { plain: 'carry out', past: 'carried out', going: 'carrying out' };

/** By the name of a step, or what comes after the dot in that of an action. */
const verbs = new Map(
  Object.entries({ disable, enable, rename, delete: remove, keep, clear, note }),
);

/** In the words of the request's own time; where they are erased, by the ids that stay. */
export function deedOf(record: AuditRecord): Deed {
  const { action, facts } = record;
  const asked = verbs.get(action?.split('.')[1] ?? '');
  const verb = verbs.get(String(facts.step)) ?? asked;
  const { subject, id } = subjectOf(record);
  const wish = wishOf(record, asked, subject);
  // An action that this Belay does not know is told by its request.
  const told = !verb && action ? `the request to ${wish}` : subject;
  return { verb: verb ?? other, subject: told, wish, id };
}

function subjectOf(record: AuditRecord): Pick<Deed, 'subject' | 'id'> {
  const { action, subjectId } = record;
  const isAlert = action?.startsWith('alerts.') ?? false;
  const id = subjectId ? `${isAlert ? 'alert' : 'user'} ${code(subjectId, 60)}` : undefined;
  const words = wordsOf(record);
  if (!words) return { subject: id && isAlert ? `the ${id}` : id, id: undefined };
  if (isAlert) {
    const about = words.replace(/^clear the alert about /i, '');
    return { subject: `the alert about ${safe(about, 150)}`, id };
  }
  return { subject: safe(words.replace(/^(disable|re-enable|rename|delete) /i, ''), 150), id };
}

function wishOf(
  record: AuditRecord,
  asked: Verb | undefined,
  subject: string | undefined,
): string | undefined {
  if (asked && subject) return `${asked.plain} ${subject}`;
  const words = wordsOf(record);
  if (words) return safe(words, 150);
  const { action } = record;
  return action && [safe(action, 60), subject && `(${subject})`].filter(Boolean).join(' ');
}

function wordsOf({ summary, personal }: AuditRecord): string | undefined {
  const words = personal.summary ?? summary;
  return words && stripMarkup(words).replaceAll(/\s+/g, ' ').trim();
}
