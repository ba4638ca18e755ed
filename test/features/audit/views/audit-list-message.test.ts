import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import { logEvents } from '../../../../src/features/audit/event-names.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';
import { auditListMessage } from '../../../../src/features/audit/views/audit-list-message.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { textsOf } from '../../message-parts.ts';
import { listOf, record } from './sample-record.ts';

it('has the plain title without filters', () => {
  const { text } = auditListMessage(listOf([record]));
  expect(text.split('\n')[0]).toBe('*Audit log* · newest first');
});

it('shows the range, the filters and the command that repeats the list', () => {
  const page = {
    by: 'U1',
    user: 'kim',
    event: 'cancellation_requested' as const,
    typed: 'by:@ana user:kim',
  };
  const range = { start: 11, total: 14, isTotalComplete: true };
  const head = (records: AuditRecord[]) =>
    auditListMessage({ ...listOf(records), page, range })
      .text.split('\n')
      .slice(0, 2);
  const filters = 'Filters: by <@U1>, user “kim”, event cancellation requested';
  expect(head([record, record])).toEqual(['*Audit log* · newest first · 11-12 of 14', filters]);
  expect(head([])).toEqual(['No entries in the audit log match these filters.', filters]);
  const { blocks } = auditListMessage({ ...listOf([record]), page });
  expect(textsOf(blocks).at(-1)).toContain('Command: `/belay audit by:@ana user:kim`');
});

it('shows what a request would change below the entry, at most five lines', () => {
  const changes = ['Weaker', '', ...Array.from({ length: 9 }, (_, index) => `Line ${index}`)];
  const personal = { reason: 'Costs', changes: changes.join('\n') };
  const { blocks } = auditListMessage(listOf([{ ...record, event: 'requested', personal }]));
  const [sentence, ...shown] = textsOf(blocks)[1]?.split('\n') ?? [];
  expect(sentence).toMatch(/^7\. .*\*requested approval\* .* · “Costs”$/);
  expect(shown).toEqual(['Weaker', 'Line 0', 'Line 1', 'Line 2', 'Line 3']);
});

it.each([
  ['U0OPS', {}, '<@U0OPS> (command line) *changed the settings*'],
  [undefined, { by: 'Rita <S>' }, 'Rita &lt;S&gt; (command line) *changed the settings*'],
  // Of earlier versions, or erased.
  [undefined, {}, 'A Belay administrator *changed the settings*'],
])('names who made a change from the command line: %s, %j', (actor, personal, sentence) => {
  const facts = { operator: true };
  const change: AuditRecord = { ...record, event: 'settings_changed', actor, personal, facts };
  const { text } = auditListMessage(listOf([change]));
  expect(text).toContain(sentence);
});

/** As `read-page.ts` has it. */
const entriesPerPage = 10;

it.each(Object.entries(hostileTexts))('Slack accepts a page full of %s text', (_, text) => {
  const records = logEvents.map(
    (event): AuditRecord => ({
      ...record,
      event,
      action: text,
      subjectId: text,
      facts: { reason: text, step: text, attempted: text, entries: [text] },
      personal: event === 'failed' ? {} : { reason: text, summary: text, subject: text },
      isErased: true,
    }),
  );
  const page = { user: text.slice(0, 200), by: 'U1', event: 'denied' as const };
  for (let from = 0; from < records.length; from += entriesPerPage) {
    const list = listOf(records.slice(from, from + entriesPerPage));
    const shown = auditListMessage({ ...list, page, hasNewer: true, hasOlder: true });
    expect(validateMessage(shown.blocks ?? [])).toEqual([]);
    expect(shown.text).not.toMatch(/<!channel>|<@U0BEN> <https/);
  }
});
