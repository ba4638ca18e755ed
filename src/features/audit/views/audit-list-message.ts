import type { AuditEvent } from '../../../audit-log/entry.ts';
import type { StopReason } from '../../../audit-log/registry.ts';
import {
  actions,
  type Button,
  context,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { code, cutMrkdwn, mention, moment, quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import { definePager } from '../../../slack/ui/pager.ts';
import { type AuditPage, auditPage } from '../audit-filter.ts';
import { nameOf } from '../event-names.ts';
import type { AuditListPage } from '../read-page.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import { formatEntry } from './format-entry.ts';
import { oneLine } from './format-subject.ts';

export const auditPager = definePager('audit', 'audit log', auditPage);

/** One page of the audit log, newest first. */
export function auditListMessage(list: AuditListPage): Message {
  const { records, page } = list;
  const filters = formatFilters(page);
  const title = records.length > 0 ? formatTitle(list) : formatNothing(page, filters.length > 0);
  const command =
    page.typed === undefined ? [] : [`Command: ${code(`/belay audit ${page.typed}`.trim(), 320)}`];
  return message([
    section(records.length > 0 ? `*Audit log* · ${title}` : title),
    ...(filters.length > 0 ? [context(`Filters: ${filters.join(', ')}`)] : []),
    ...records.map((record) => section(formatRecord(record))),
    actions(pageButtons(list)),
    ...(records.length > 0 ? command : [...command, auditFilters]).map(context),
  ]);
}

/** "newest first · 1-10 of 389" */
function formatTitle({ records, range }: AuditListPage): string {
  if (!range) return 'newest first';
  const { start, total, isTotalComplete } = range;
  const end = start + records.length - 1;
  const shown = start === end ? `${start}` : `${start}-${end}`;
  return `newest first · ${shown} of ${isTotalComplete ? total : `more than ${total}`}`;
}

function formatNothing({ before }: AuditPage, isFiltered: boolean): string {
  const entries = before === undefined ? 'entries' : 'older entries';
  return isFiltered
    ? `No ${entries} in the audit log match these filters.`
    : `No ${entries} in the audit log.`;
}

/** As `/belay help audit` explains them. */
export const auditFilters =
  'Filters: `by:@person` · `user:` and an id, or part of a name or address · `event:denied` · `since:7d`';

function pageButtons({ records, page, hasNewer, hasOlder }: AuditListPage): Button[] {
  const { before, after, ...filter } = page;
  const [first, last] = [records.at(0), records.at(-1)];
  return auditPager.buttons(
    {
      previous: hasNewer && first ? { ...filter, after: first.seq } : undefined,
      next: hasOlder && last ? { ...filter, before: last.seq } : undefined,
      refresh: page,
    },
    { previous: 'Newer', next: 'Older' },
  );
}

/** The entry's number, time, event, and personal text. */
function formatRecord(record: AuditRecord): string {
  const { seq, personal, isErased } = record;
  const parts = [
    `${seq}. ${formatSentence(record)}`,
    formatPersonal(personal),
    isErased ? '_personal text erased_' : undefined,
  ];
  return [parts.filter((part) => part !== undefined).join(' · '), ...formatChanges(record)].join(
    '\n',
  );
}

/**
 * Time, person and event, and what a request would change, without what people wrote: people who can't
 * read the audit log see it in the history of a policy.
 */
export function formatEvent(record: AuditRecord): string {
  return [formatSentence(record, { isIdKnown: true }), ...formatChanges(record)].join('\n');
}

function formatSentence(record: AuditRecord, options?: { isIdKnown: boolean }): string {
  return `${moment(record.at)} · ${formatEntry(record, formatActor(record), options)}`;
}

/** The message of the request shows all of them. */
const maxChanges = 5;

/** What a request would change, one line each. */
function formatChanges({ event, personal: { changes = '' } }: AuditRecord): string[] {
  const lines = event === 'requested' ? changes.split('\n') : [];
  return lines
    .filter((line) => line.trim())
    .slice(0, maxChanges)
    .map((line) => safe(line, 300));
}

/** Events of the command line, which names people who may not be in Slack. */
const commandLineEvents: ReadonlySet<string> = new Set<AuditEvent>(['erased', 'key_changed']);

/** Messages avoid "operator", which is a role in a workspace. */
const someAdministrator = 'A Belay administrator';

function formatActor({ actor, event, personal, facts }: AuditRecord): string {
  const name = actor ? mention(safe(actor, 30)) : personal.by && safe(personal.by, 100);
  // A change that others need approval for.
  if (facts.operator === true) return name ? `${name} (command line)` : someAdministrator;
  const isByBelay = facts.reason === ('uninstalled' satisfies StopReason);
  if (actor || (commandLineEvents.has(event) && !isByBelay)) return name || someAdministrator;
  return 'Belay';
}

/** What a person wrote is quoted. Outcomes are written by Belay and escaped already. */
function formatPersonal({ reason, note, outcome }: AuditRecord['personal']): string | undefined {
  const text = reason ?? note;
  if (text) return quoteInline(text);
  return outcome ? cutMrkdwn(oneLine(outcome), 500) : undefined;
}

function formatFilters({ by, user, event, since }: AuditPage): string[] {
  return [
    by && `by ${mention(safe(by, 30))}`,
    user && `user “${safe(user, 60)}”`,
    event && `event ${nameOf(event).replaceAll('_', ' ')}`,
    since && `since ${moment(new Date(since))}`,
  ].flatMap((one) => one || []);
}
