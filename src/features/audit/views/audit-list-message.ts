import {
  actions,
  button,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { code, cutMrkdwn, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AuditPage } from '../audit-filter.ts';
import type { AuditRecord } from '../audit-store.ts';
import { eventWords } from './format-entry.ts';
import { olderActionId } from './ids.ts';

export type AuditListPage = { records: AuditRecord[]; page: AuditPage; hasOlder: boolean };

/** One page of the decision log, newest first. */
export function auditListMessage({ records, page, hasOlder }: AuditListPage): Message {
  const filters = shownFilters(page);
  const last = records.at(-1);
  if (!last) {
    const entries = page.before ? 'older entries' : 'entries';
    const nothing = `The decision log has no ${[entries, filters.join(', ')].join(' ').trim()}.`;
    return message(nothing, [section(nothing)]);
  }
  const which = `${filters.length > 0 ? `: ${filters.join(', ')}` : ''}, newest first`;
  const lines = records.map(recordLine);
  const blocks: KnownBlock[] = [section(`*Decision log*${which}`)];
  blocks.push(...lines.map((line) => section(line)));
  if (hasOlder) blocks.push(actions([olderButton({ ...page, before: last.seq })]));
  blocks.push(context(hint));
  return message([`Decision log${which}`, ...lines].join('\n'), blocks);
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

/** When it was, what happened, and what was written with it: as much of it as the entry has. */
function recordLine(record: AuditRecord): string {
  const { seq, at, actor, personal, isErased } = record;
  const who = actor ? mention(safe(actor, 30)) : 'Belay';
  const parts = [
    `${seq}. ${moment(at)}`,
    eventWords(record, who),
    writtenWith(personal),
    isErased ? '_personal text erased_' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Quoted where a person wrote it. What came of it are Belay's own words, escaped already. */
function writtenWith({ reason, note, outcome }: AuditRecord['personal']): string | undefined {
  const text = reason ?? note;
  if (text) return `“${safe(oneLine(text), 200)}”`;
  return outcome ? cutMrkdwn(oneLine(outcome), 500) : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function shownFilters({ by, user, event, since }: AuditPage): string[] {
  return [
    by && `by ${mention(safe(by, 30))}`,
    user && `about ${code(user, 60)}`,
    event && `with event ${code(event)}`,
    since && `since ${moment(new Date(since))}`,
  ].flatMap((one) => one || []);
}
