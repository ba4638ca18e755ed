import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import type { Alert } from '../../../../src/dataprotection/resources/alerts.ts';
import { defaultSearch } from '../../../../src/features/alerts/alert-search.ts';
import type { FoundAlerts } from '../../../../src/features/alerts/find-alerts.ts';
import { addMarks } from '../../../../src/features/alerts/find-alerts.ts';
import { alertListMessage } from '../../../../src/features/alerts/views/alert-list-message.ts';
import {
  newerActionId,
  olderActionId,
  pageValue,
} from '../../../../src/features/alerts/views/ids.ts';
import { decodeValue } from '../../../../src/slack/ui/codec.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { buttonsOf, textsOf } from '../../message-parts.ts';
import { alertMadeOf } from '../hostile-alert.ts';

const asOf = '2026-03-01T12:00:00.000Z';
const gold = { ...defaultSearch, policy: 'Gold' };
const now = new Date('2026-03-01T12:30:00Z');
const full: Alert = {
  id: 'a1',
  type: 'policy_violated',
  cause: 'backup_failed',
  severity: 'error',
  status: 'active',
  raisedCount: 4,
  updatedTimestamp: '2026-03-01T10:00:00Z',
  primaryEntity: { id: 'e1', type: 'aws_ebs_volume', value: 'orders_db*1', otherFields: {} },
  parentEntity: { id: 'p1', type: 'policy', value: 'Gold', otherFields: {} },
  otherFields: {},
};
const volumeAlone: Alert = { ...full, parentEntity: undefined };
const sparse: Alert = { id: 'a2', otherFields: {} };

function found(differences: Partial<FoundAlerts> = {}): FoundAlerts {
  const { alerts = [full, sparse] } = differences;
  return {
    ...{ search: defaultSearch, now, pageNumber: 1, asOf, hasMore: false, stopped: undefined },
    ...{ shown: '', alerts, matched: alerts, isComplete: true, ...differences },
  };
}

it('shows the problem, the resource and the time', () => {
  const message = alertListMessage(found());
  const [, alert, other] = textsOf(message.blocks);
  expect(alert).toBe(
    [
      '*Gold* (policy)',
      ':large_red_circle: Error · *orders_db∗1* (AWS EBS volume) · Policy violated: Backup failed',
      'Updated <!date^1772359200^{ago} ({date_short_pretty} at {time})|2026-03-01 10:00 UTC> · raised 4 times',
    ].join('\n'),
  );
  expect(other).toContain('Severity not given');
  expect(other).toContain('status not given');
  expect(message.text).toContain('Error: orders_db∗1, Policy violated: Backup failed, updated');
  expect(validateMessage(message.blocks)).toEqual([]);
});

it('shows an alert with a clearing time as cleared, even without a status', () => {
  const cleared = { ...full, status: undefined, clearedTimestamp: '2026-03-01T11:00:00Z' };
  const search = { ...defaultSearch, status: 'all' } as const;
  const [heading, alert] = textsOf(alertListMessage(found({ alerts: [cleared], search })).blocks);
  expect(heading).toContain('1 alert (0 active, 1 cleared): 1 error');
  expect(alert).toMatch(/^:white_check_mark: Cleared · Error · .* · raised 4 times$/ms);
  expect(alert).not.toContain(':large_red_circle:');
});

it('shows an unknown severity without an icon', () => {
  const message = alertListMessage(found({ alerts: [{ ...full, severity: 'constructor' }] }));
  expect(textsOf(message.blocks)[1]).toContain('\nConstructor · ');
  expect(textsOf(message.blocks)[0]).toContain('1 active: 1 of severity constructor');
});

it('shows the subject of a group once, with its number of alerts', () => {
  const volume = { id: 'e2', type: 'aws_ebs_volume', value: 'mail-7', otherFields: {} };
  const account = { id: 'x', type: 'aws_account', value: 'billing', otherFields: {} };
  const alerts: Alert[] = [
    full,
    { ...full, id: 'a3', parentEntity: undefined, primaryEntity: account, severity: 'warning' },
    { ...full, id: 'a4', primaryEntity: volume },
  ];
  const later = { ...full, id: 'a5' };
  const matched = [...alerts, later];
  const message = alertListMessage(found({ alerts, matched, hasMore: true, isComplete: false }));
  const texts = textsOf(message.blocks);
  expect(texts[0]).toBe(
    '*Active alerts, newest first, grouped by policy*\nAt least 4 active: 3 errors, 1 warning',
  );
  expect(message.text).toMatch(/^Active alerts, newest first\.\n/);
  expect(texts[1]).toMatch(
    /^\*Gold\* \(policy\) · at least 3 alerts, 2 of them on this page\n.*\*orders_db∗1\*/,
  );
  expect(texts[2]).toMatch(/^:large_red_circle: Error · \*mail-7\*/);
  expect(texts[3]).toMatch(/^\*billing\* \(AWS account\)\n:large_yellow_circle: Warning · Policy/);
});

it.each([
  ['two of a volume', [volumeAlone, volumeAlone], true],
  ['two of a policy and two of a volume', [full, full, volumeAlone, volumeAlone], true],
  ['one of a policy and one of a volume', [full, volumeAlone], false],
])('says that a page is grouped only if it is: %s', (_case, page, isGrouped) => {
  const alerts = page.map((alert, index) => ({ ...alert, id: `a${index}` }));
  const [heading] = textsOf(alertListMessage(found({ alerts })).blocks);
  const title = heading?.split('\n')[0];
  const grouped = isGrouped ? ', grouped by what they concern' : '';
  expect(title).toBe(`*Active alerts, newest first${grouped}*`);
});

it('says that only the alerts read are sorted if the list is incomplete', () => {
  const stopped = { examinedCount: 240, backTo: undefined };
  const search = { ...defaultSearch, sort: '-severity' as const };
  const { text } = alertListMessage(found({ search, stopped, isComplete: false, hasMore: true }));
  expect(text).toContain('Active alerts, worst first.');
  expect(text).toContain('stopped after the newest 240 alerts');
  expect(text).toContain('Only what was found in these is sorted.');
});

it.each(['raised', '-raised'] as const)('shows when alerts were raised in the order %s', (sort) => {
  const at = { raisedTimestamp: '2026-02-01T00:00:00Z' };
  const unmoved = { ...full, ...at, updatedTimestamp: at.raisedTimestamp };
  const alerts = [{ ...full, ...at }, full, { ...sparse, ...at }, sparse, unmoved];
  const message = alertListMessage(found({ alerts, search: { ...defaultSearch, sort } }));
  const raised = /Raised <!date\^1769904000\^[^>]*>/;
  const updated = /, updated <!date\^1772359200\^[^>]*> · raised 4 times$/;
  const [, one, undated, same, other, neither] = textsOf(message.blocks);
  expect(one?.split('\n').at(-1)).toMatch(new RegExp(`^${raised.source}${updated.source}`));
  expect(undated).toMatch(new RegExp(`\nTime raised not given${updated.source}`));
  expect(other).toMatch(new RegExp(`\n${raised.source} · status not given$`));
  expect(neither).toMatch(/\nTime raised not given · status not given$/);
  expect(same?.split('\n').at(-1)).toMatch(new RegExp(`^${raised.source} · raised 4 times$`));
  expect(message.text).toMatch(/Backup failed, raised <[^>]*>, updated <[^>]*>\.$/m);
  expect(validateMessage(message.blocks)).toEqual([]);
});

it("shows a timestamp that can't be parsed unchanged", () => {
  const message = alertListMessage(found({ alerts: [{ ...full, updatedTimestamp: 'yesterday' }] }));
  expect(message.text).toContain('updated yesterday');
});

it.each([
  { pageNumber: 1, hasMore: false, pages: [] },
  { pageNumber: 1, hasMore: true, pages: [[olderActionId, 2]] },
  { pageNumber: 2, hasMore: false, pages: [[newerActionId, 1]] },
  {
    pageNumber: 2,
    hasMore: true,
    pages: [
      [newerActionId, 1],
      [olderActionId, 3],
    ],
  },
])('links only to pages that exist: $pageNumber, $hasMore', (page) => {
  const message = alertListMessage(found({ ...page, search: gold }));
  const turns = buttonsOf(message.blocks)
    .filter(({ action_id }) => action_id === newerActionId || action_id === olderActionId)
    .map(({ action_id, value }) => ({ action_id, page: decodeValue(pageValue, value) }));
  expect(turns.map(({ action_id, page: target }) => [action_id, target?.pageNumber])).toEqual(
    page.pages,
  );
  for (const { page: target } of turns) expect(target).toMatchObject({ search: gold, asOf });
});

it('stores marks of the alerts already shown in a button', () => {
  const shown = addMarks('', Array(5).fill({ ...full, id: 'earlier' }));
  const message = alertListMessage(found({ pageNumber: 2, hasMore: true, shown }));
  const carried = buttonsOf(message.blocks)
    .map(({ value }) => decodeValue(pageValue, value))
    .filter((page) => page !== undefined);
  expect(carried).toMatchObject([
    { pageNumber: 1, shown: '' },
    { pageNumber: 3, shown: addMarks(shown, [full, sparse]) },
  ]);
  expect(
    decodeValue(pageValue, JSON.stringify({ search: defaultSearch, pageNumber: 2, asOf })),
  ).toBe(undefined);
});

it('allows about fifty pages, and then says what to do', () => {
  const alerts = Array.from({ length: 5 }, (_, index) => ({ ...full, id: `a${index}` }));
  const olderOf = (page: Partial<FoundAlerts>) => {
    const { text, blocks } = alertListMessage(found({ alerts, hasMore: true, ...page }));
    const older = buttonsOf(blocks).find(({ action_id }) => action_id === olderActionId);
    expect(text.includes('There are more, but a list has no more pages than these.')).toBe(!older);
    return older && decodeValue(pageValue, older.value);
  };
  let pages = 1;
  for (let next = olderOf({}); next; next = olderOf(next)) pages = next.pageNumber;
  expect(pages).toBeGreaterThan(50);
});

it('says that reading stopped early, and at what time', () => {
  const stopped = { examinedCount: 240, backTo: '2026-02-01T00:00:00Z' };
  const message = alertListMessage(found({ alerts: [], stopped }));
  expect(message.text).toContain('No active alerts so far');
  expect(message.text).toContain('stopped after the newest 240 alerts, back to <!date^1769904000^');
  expect(message.text).toContain('Older ones were not looked at.');
});

it('says that there are no alerts', () => {
  expect(alertListMessage(found({ alerts: [] })).text).toBe('No active alerts. All is quiet.');
  const search = { ...defaultSearch, words: ['<!here>*'] };
  const message = alertListMessage(found({ alerts: [], search }));
  expect(message.text).toContain(
    'No active alerts match this filter.\nOnly: with “&lt;!here&gt;∗”.',
  );
  expect(message.text).toContain('Asked with `/belay alerts "&lt;!here&gt;*"`');
});

it.each(Object.entries(hostileTexts))('renders %s from the service', (_name, text) => {
  const alerts = Array.from({ length: 5 }, () => alertMadeOf(text));
  const search = { ...defaultSearch, policy: text.slice(0, 100), words: [text.slice(0, 100)] };
  const message = alertListMessage(
    found({
      alerts,
      search,
      pageNumber: 2,
      hasMore: true,
      stopped: { examinedCount: 1, backTo: text },
    }),
  );
  expect(validateMessage(message.blocks)).toEqual([]);
  expect(message.text.length).toBeLessThanOrEqual(4000);
  expect(JSON.stringify([message.text, textsOf(message.blocks)])).not.toMatch(/<(?!!date)/);
});

it('lists an alert whose id is too long for a button without the button', () => {
  const message = alertListMessage(found({ alerts: [{ ...full, id: '"'.repeat(301) }] }));
  expect(buttonsOf(message.blocks).map(({ text }) => text)).toEqual([
    expect.objectContaining({ text: 'Filter…' }),
  ]);
  const carried = alertListMessage(found({ alerts: [{ ...full, id: '\u0001'.repeat(300) }] }));
  expect(validateMessage(carried.blocks)).toEqual([]);
});
