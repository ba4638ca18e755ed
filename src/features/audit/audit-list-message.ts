import {
  actions,
  button,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../slack/blocks.ts';
import { encodeValue } from '../../slack/codec.ts';
import { bold, code, mention, moment, plainOf, safe } from '../../slack/mrkdwn.ts';
import type { AuditPage } from './audit-filter.ts';
import type { AuditRecord } from './audit-store.ts';
import { changeWords } from './change-words.ts';
import { eventWords } from './event-words.ts';
import { olderActionId } from './ids.ts';

export type AuditListPage = { records: AuditRecord[]; page: AuditPage; hasOlder: boolean };

/** One page of the decision log, newest first. */
export function auditListMessage({ records, page, hasOlder }: AuditListPage): Message {
  const filters = shownFilters(page);
  const which = filters ? ` with ${filters}` : '';
  const last = records.at(-1);
  if (!last) {
    const nothing = `The decision log has no ${page.before ? 'older entries' : 'entries'}${which}.`;
    return message(nothing, [section(nothing)]);
  }
  const title = `Decision log${which}, newest first`;
  const lines = records.map(recordLine);
  const blocks: KnownBlock[] = [section(`*Decision log*${which}, newest first`)];
  blocks.push(...lines.map((line) => section(line)));
  if (hasOlder) blocks.push(actions([olderButton({ ...page, before: last.seq })]));
  blocks.push(context(hint));
  return message([title, ...lines].join('\n'), blocks);
}

const hint =
  'Filters: `by: @person`, `user:` with an id or part of a name or address, `event:denied`, `since:7d`.';

function olderButton(page: AuditPage) {
  return button({
    text: 'Older',
    actionId: olderActionId,
    value: encodeValue(page),
    accessibilityLabel: 'Next page, with older entries',
  });
}

/** When, who, what, about whom, and why: as much of it as the entry has. */
function recordLine(record: AuditRecord): string {
  const { seq, at, event, actor, personal, facts, isErased } = record;
  const who = actor ? mention(safe(actor, 30)) : 'Belay';
  const what = bold(eventWords[event] ?? event, 40);
  const why = personal.reason ?? personal.note ?? personal.outcome ?? textOf(facts.reason);
  const parts = [
    `${seq}. ${moment(at)} · ${who} ${what}`,
    about(record),
    changeWords(facts),
    why ? `“${safe(oneLine(why), 200)}”` : undefined,
    isErased ? '_personal text erased_' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** The request in the words of its time; where they are erased, the bare names of action and subject. */
function about({ summary, personal, action, subjectId }: AuditRecord): string | undefined {
  const words = personal.summary ?? summary;
  const kind = action?.startsWith('alerts.') ? 'alert' : 'user';
  const subject = subjectId ? `${kind} ${code(subjectId, 60)}` : undefined;
  const act = words ? safe(oneLine(plainOf(words)), 150) : action && safe(action, 60);
  if (!act) return subject;
  return subject ? `${act} (${subject})` : act;
}

/** Facts have short names for reasons: `too_many`. */
function textOf(fact: unknown): string | undefined {
  return typeof fact === 'string' && fact ? fact.replaceAll(/[_-]/g, ' ') : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function shownFilters({ by, user, event, since }: AuditPage): string {
  const shown = [
    by && `by ${mention(safe(by, 30))}`,
    user && `user ${code(user, 60)}`,
    event && `event ${code(event)}`,
    since && `since ${moment(new Date(since))}`,
  ];
  return shown.filter(Boolean).join(', ');
}
