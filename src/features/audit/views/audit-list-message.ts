import type { AuditEvent } from '../../../audit-log/entry.ts';
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
import { code, cutMrkdwn, mention, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AuditPage } from '../audit-filter.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import { formatEntry } from './format-entry.ts';

export const olderActionId = 'audit.older';

export type AuditListPage = { records: AuditRecord[]; page: AuditPage; hasOlder: boolean };

/** One page of the audit log, newest first. */
export function auditListMessage({ records, page, hasOlder }: AuditListPage): Message {
  const filters = formatFilters(page);
  const last = records.at(-1);
  if (!last) {
    const entries = page.before ? 'older entries' : 'entries';
    const nothing = `The decision log has no ${[entries, filters.join(', ')].join(' ').trim()}.`;
    return message(nothing, [section(nothing)]);
  }
  const which = `${filters.length > 0 ? `: ${filters.join(', ')}` : ''}, newest first`;
  const lines = records.map(formatRecord);
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

/** The entry's number, time, event, and personal text. */
function formatRecord(record: AuditRecord): string {
  const { seq, at, personal, isErased } = record;
  const parts = [
    `${seq}. ${moment(at)}`,
    formatEntry(record, formatActor(record)),
    formatPersonal(personal),
    isErased ? '_personal text erased_' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Events of the command line, which names people who may not be in Slack. */
const operatorEvents: ReadonlySet<string> = new Set<AuditEvent>(['erased', 'key_changed']);

function formatActor({ actor, event, personal, facts }: AuditRecord): string {
  const name = actor ? mention(safe(actor, 30)) : personal.by && safe(personal.by, 100);
  // A change that others need approval for; entries of earlier versions don't name the operator.
  if (facts.operator === true) return name ? `${name} (operator)` : 'The operator';
  if (actor || operatorEvents.has(event)) return name || 'An operator';
  return 'Belay';
}

/** What a person wrote is quoted. Outcomes are written by Belay and escaped already. */
function formatPersonal({ reason, note, outcome }: AuditRecord['personal']): string | undefined {
  const text = reason ?? note;
  if (text) return quoteInline(text);
  return outcome ? cutMrkdwn(oneLine(outcome), 500) : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function formatFilters({ by, user, event, since }: AuditPage): string[] {
  return [
    by && `by ${mention(safe(by, 30))}`,
    user && `about ${code(user, 60)}`,
    event && `with event ${code(event)}`,
    since && `since ${moment(new Date(since))}`,
  ].flatMap((one) => one || []);
}
