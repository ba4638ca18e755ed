import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import type { Alert } from '../../../../src/dataprotection/resources/alerts.ts';
import { defaultSearch } from '../../../../src/features/alerts/alert-search.ts';
import type { FoundAlerts } from '../../../../src/features/alerts/find-alerts.ts';
import { addMarks } from '../../../../src/features/alerts/find-alerts.ts';
import { alertListMessage } from '../../../../src/features/alerts/views/alert-list-message.ts';
import {
  alertPager,
  searchValue,
  watchActionId,
} from '../../../../src/features/alerts/views/ids.ts';
import { decodeValue } from '../../../../src/slack/ui/codec.ts';
import { buttonTexts } from '../../../support/ask.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { buttonsOf, textsOf } from '../../message-parts.ts';
import { alertMadeOf } from '../hostile-alert.ts';

const asOf = '2026-03-01T12:00:00.000Z';
const gold = { ...defaultSearch, policy: 'Gold' };
const now = new Date('2026-03-01T12:30:00Z');
const listedAt = now.toISOString();
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
    search: defaultSearch,
    now,
    listedAt,
    asOf,
    hasMore: false,
    stopped: undefined,
    shown: '',
    alerts,
    matched: alerts,
    isComplete: true,
    ...differences,
  };
}

it('shows state, problem and times of an alert on one line', () => {
  const message = alertListMessage(found());
  const [, alert, other] = textsOf(message.blocks);
  expect(alert).toBe(
    ':large_red_circle: Error · *orders_db∗1* (AWS EBS volume) · Policy violated: Backup failed · *Gold* (policy) · updated <!date^1772359200^{ago}|2026-03-01 10:00 UTC> · raised 4 times',
  );
  expect(other).toBe(':white_circle: No severity · *Unnamed resource* · Unknown problem');
  expect(message.text).toContain(alert);
  expect(validateMessage(message.blocks)).toEqual([]);
});

it('shows an alert with a clearing time as cleared, even without a status', () => {
  const cleared = { ...full, status: undefined, clearedTimestamp: '2026-03-01T11:00:00Z' };
  const search = { ...defaultSearch, status: 'all' } as const;
  const [heading, alert] = textsOf(alertListMessage(found({ alerts: [cleared], search })).blocks);
  expect(heading).toContain('1 alert (0 active, 1 cleared): 1 error');
  expect(alert).toMatch(/^:white_check_mark: Cleared · Error · .* · cleared <!date\^1772362800\^/m);
  expect(alert).not.toContain(':large_red_circle:');
});

it.each([
  ['notice', ':large_blue_circle: Notice', '1 active: 1 notice'],
  ['constructor', ':white_circle: Constructor', '1 active: 1 with severity constructor'],
])('shows the severity %s with an icon and a word', (severity, state, counts) => {
  const [heading, alert] = textsOf(
    alertListMessage(found({ alerts: [{ ...full, severity }] })).blocks,
  );
  expect(alert).toContain(`${state} · *`);
  expect(heading).toContain(counts);
});

it('gives a type one name, with and without words of the service', () => {
  const locked = { ...full, type: 'enc_key_inaccessible', cause: undefined };
  const details = { type: 'Key locked', otherFields: {} };
  const alerts = [locked, { ...locked, id: 'a2', details }];
  const texts = textsOf(alertListMessage(found({ alerts })).blocks).join('\n');
  expect(texts.match(/Encryption key inaccessible/g)).toHaveLength(2);
  expect(texts).not.toContain('Key locked');
});

it('shows the subject of a group once, with how many of its alerts are shown', () => {
  const volume = { id: 'e2', type: 'aws_ebs_volume', value: 'mail-7', otherFields: {} };
  const account = { id: 'x', type: 'aws_account', value: 'billing', otherFields: {} };
  const alerts: Alert[] = [
    full,
    { ...full, id: 'a3', parentEntity: undefined, primaryEntity: account, severity: 'warning' },
    { ...full, id: 'a4', primaryEntity: volume },
  ];
  const matched = [...alerts, { ...full, id: 'a5' }];
  const page = { alerts, matched, hasMore: true };
  const texts = textsOf(alertListMessage(found(page)).blocks);
  expect(texts[0]).toBe(
    '*Active alerts by policy, newest first*\n1-3 of 4 active: 3 errors, 1 warning',
  );
  expect(texts[1]).toBe('*Gold* (policy) · showing 2 of 3');
  expect(texts[2]).toMatch(/^:large_red_circle: Error · \*orders_db∗1\*/);
  expect(texts[3]).toMatch(/^:large_red_circle: Error · \*mail-7\*/);
  expect(texts[4]).toMatch(/^:large_yellow_circle: Warning · \*billing\* \(AWS account\) · Policy/);
  expect(buttonTexts(alertListMessage(found(page))).slice(0, 3)).toEqual([
    ...['View details', 'View details', 'View alerts'],
  ]);
  const ofPolicy = alertListMessage(found({ ...page, search: gold }));
  expect(buttonTexts(ofPolicy)).not.toContain('View alerts');
  const partly = alertListMessage(found({ ...page, isComplete: false }));
  expect(textsOf(partly.blocks)[0]).toContain('1-3 of at least 4 active');
  expect(textsOf(partly.blocks)[1]).toContain(' · showing 2 of at least 3');
  expect(partly.text).toMatch(/^\*Active alerts by policy, newest first\*\n/);
});

it.each([
  ['a group and two that are alone', [full, full, volumeAlone, sparse], '|hrrb|rr|'],
  ['two that are alone and a group', [volumeAlone, sparse, full, full], '|rr|hrrb|'],
  ['two groups', [full, full, volumeAlone, volumeAlone], '|hrrb|hrr|'],
  ['two that are alone', [volumeAlone, sparse], '|rr|'],
])('has one title, and dividers where groups begin and end: %s', (_case, page, expected) => {
  const alerts = page.map((alert, index) => ({ ...alert, id: `a${index}` }));
  const { blocks = [] } = alertListMessage(found({ alerts }));
  expect(textsOf(blocks)[0]?.split('\n')[0]).toBe('*Active alerts by policy, newest first*');
  // Headings, rows, the buttons of a policy, and dividers.
  const shape = blocks.slice(1, -2).map((block) => {
    if (block.type === 'divider') return '|';
    if (block.type === 'actions') return 'b';
    return block.type === 'section' && block.accessory ? 'r' : 'h';
  });
  expect(shape.join('')).toBe(expected);
});

it('says how to type the name of a policy with spaces when nothing matches', () => {
  const search = { ...defaultSearch, policy: 'Databases', words: ['every', 'hour'] };
  const { text } = alertListMessage(found({ alerts: [], search }));
  expect(text).toContain(
    'Put a policy name with spaces in quotation marks: `/belay alerts policy:"Databases every hour"`',
  );
});

it('says that only the alerts read are sorted if the list is incomplete', () => {
  const stopped = { examinedCount: 240, backTo: undefined };
  const search = { ...defaultSearch, sort: '-severity' as const };
  const { text } = alertListMessage(found({ search, stopped, isComplete: false, hasMore: true }));
  expect(text).toContain('*Active alerts by policy, most severe first*');
  expect(text).toContain('Partial results: the newest 240 alerts. Only these are sorted.');
});

it.each(['raised', '-raised'] as const)('shows when alerts were raised in the order %s', (sort) => {
  const alerts = [{ ...full, raisedTimestamp: '2026-02-01T00:00:00Z' }, sparse];
  const message = alertListMessage(found({ alerts, search: { ...defaultSearch, sort } }));
  const [, raised, undated] = textsOf(message.blocks);
  expect(raised).toMatch(/ · raised <!date\^1769904000\^[^>]*> · raised 4 times$/);
  expect(raised).not.toContain('updated');
  expect(undated).toMatch(/No severity · \*Unnamed resource\* · Unknown problem$/);
});

it("shows a timestamp that can't be parsed unchanged", () => {
  const message = alertListMessage(found({ alerts: [{ ...full, updatedTimestamp: 'yesterday' }] }));
  expect(message.text).toContain('updated yesterday');
});

const [newerActionId, olderActionId, refreshActionId] = alertPager.actionIds;
const pageValue = alertPager.query;

const earlier = Array.from({ length: 10 }, (_, index) => ({ ...full, id: `earlier ${index}` }));
const shownBefore = addMarks('', earlier);

it.each([
  { shown: '', hasMore: false, pages: [] },
  { shown: '', hasMore: true, pages: [[olderActionId, addMarks('', [full, sparse])]] },
  { shown: shownBefore, hasMore: false, pages: [[newerActionId, '']] },
  {
    shown: shownBefore,
    hasMore: true,
    pages: [
      [newerActionId, ''],
      [olderActionId, addMarks(shownBefore, [full, sparse])],
    ],
  },
])('links only to pages that exist: $pages', ({ pages, ...page }) => {
  const message = alertListMessage(found({ ...page, search: gold }));
  const turns = buttonsOf(message.blocks)
    .filter(({ action_id }) => action_id === newerActionId || action_id === olderActionId)
    .map(({ action_id, value }) => ({ action_id, page: decodeValue(pageValue, value) }));
  expect(turns.map(({ action_id, page: target }) => [action_id, target?.shown])).toEqual(pages);
  for (const { page: target } of turns)
    expect(target).toMatchObject({ search: gold, asOf, listedAt });
});

it('says when it was read, and offers to read it again and to watch the filter', () => {
  const message = alertListMessage(found({ search: gold }), {
    portalUrl: 'https://portal.example/',
  });
  const footer = textsOf(message.blocks).at(-1);
  expect(footer).toBe(
    'Results from <!date^1772368200^{time}|2026-03-01 12:30 UTC> · Command: `/belay alerts policy:Gold` · <https://portal.example/|Open portal>',
  );
  const carriedBy = (actionId: string) =>
    buttonsOf(message.blocks).find(({ action_id }) => action_id === actionId)?.value;
  for (const actionId of [refreshActionId, watchActionId]) {
    expect(decodeValue(searchValue, carriedBy(actionId))).toEqual({ search: gold });
  }
  expect(buttonTexts(message)).toContain('Watch this filter');
  expect(buttonTexts(alertListMessage(found()))).toContain('Watch alerts');
});

it('allows about thirty pages, and then says what to do', () => {
  const alerts = Array.from({ length: 10 }, (_, index) => ({ ...full, id: `a${index}` }));
  const olderOf = (page: Partial<FoundAlerts>) => {
    const { text, blocks } = alertListMessage(found({ alerts, hasMore: true, ...page }));
    const older = buttonsOf(blocks).find(({ action_id }) => action_id === olderActionId);
    expect(text.includes('There are more alerts than a list can show.')).toBe(!older);
    return older && decodeValue(pageValue, older.value);
  };
  let pages = 1;
  for (let next = olderOf({}); next; next = olderOf({ shown: next.shown ?? '' })) pages += 1;
  expect(pages).toBeGreaterThan(27);
});

it('says that reading stopped early, and at what time', () => {
  const stopped = { examinedCount: 240, backTo: '2026-02-01T00:00:00Z' };
  const message = alertListMessage(found({ alerts: [], stopped }));
  expect(message.text).toContain('*No active alerts found so far*');
  expect(message.text).toContain(
    'Partial results: the newest 240 alerts, updated since <!date^1769904000^',
  );
});

it('says that there are no alerts', () => {
  expect(alertListMessage(found({ alerts: [] })).text).toMatch(
    /^\*No active alerts\*\nResults from <[^>]*>$/,
  );
  const search = { ...defaultSearch, words: ['<!here>*'] };
  const message = alertListMessage(found({ alerts: [], search }));
  expect(message.text).toContain(
    '*No active alerts match these filters*\nFilters: “&lt;!here&gt;∗”\nRemove a filter, or run `/belay alerts`',
  );
  expect(message.text).toContain('Command: `/belay alerts "&lt;!here&gt;*"`');
});

it.each(Object.entries(hostileTexts))('renders %s from the service', (_name, text) => {
  const alerts = Array.from({ length: 10 }, () => alertMadeOf(text));
  const search = { ...defaultSearch, policy: text.slice(0, 100), words: [text.slice(0, 100)] };
  const message = alertListMessage(
    found({
      alerts,
      search,
      shown: shownBefore,
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
  expect(buttonTexts(message)).not.toContain('View details');
  const carried = alertListMessage(found({ alerts: [{ ...full, id: '\u0001'.repeat(300) }] }));
  expect(validateMessage(carried.blocks)).toEqual([]);
});
