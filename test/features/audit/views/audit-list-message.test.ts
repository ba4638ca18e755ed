import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';
import { auditListMessage } from '../../../../src/features/audit/views/audit-list-message.ts';
import { logEvents } from '../../../../src/features/audit/views/format-entry.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { record } from './sample-record.ts';

it('has the plain title without filters', () => {
  const { text } = auditListMessage({ records: [record], page: {}, hasOlder: false });
  expect(text.split('\n')[0]).toBe('Decision log, newest first');
});

it('shows the filters in its title', () => {
  const page = { by: 'U1', user: 'kim', event: 'denied' as const };
  const title = (records: AuditRecord[]) =>
    auditListMessage({ records, page, hasOlder: false }).text.split('\n')[0];
  expect(title([record])).toBe(
    'Decision log: by <@U1>, about `kim`, with event `denied`, newest first',
  );
  expect(title([])).toBe(
    'The decision log has no entries by <@U1>, about `kim`, with event `denied`.',
  );
});

it.each([
  ['U0OPS', {}, '<@U0OPS> (operator) *changed the settings*'],
  [undefined, { by: 'Rita <S>' }, 'Rita &lt;S&gt; (operator) *changed the settings*'],
  // Of earlier versions, or erased.
  [undefined, {}, 'The operator *changed the settings*'],
])('names the operator of a change from the command line: %s, %j', (actor, personal, sentence) => {
  const facts = { operator: true };
  const change: AuditRecord = { ...record, event: 'settings_changed', actor, personal, facts };
  const { text } = auditListMessage({ records: [change], page: {}, hasOlder: false });
  expect(text).toContain(sentence);
});

it.each(Object.entries(hostileTexts))('Slack accepts a page full of %s text', (_, text) => {
  const records = logEvents.map(
    (event): AuditRecord => ({
      ...record,
      event,
      action: text,
      subjectId: text,
      facts: { reason: text, step: text, wish: text, entries: [text] },
      personal: event === 'failed' ? {} : { reason: text, summary: text, subject: text },
      isErased: true,
    }),
  );
  const page = { user: text.slice(0, 200), by: 'U1', event: 'denied' as const };
  const shown = auditListMessage({ records, page, hasOlder: true });
  expect(validateMessage(shown.blocks ?? [])).toEqual([]);
  expect(shown.text).not.toMatch(/<!channel>|<@U0BEN> <https/);
});
