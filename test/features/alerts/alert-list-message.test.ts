import { expect, it } from 'vitest';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import type { Alert } from '../../../src/dataprotection/alerts.ts';
import { alertListMessage } from '../../../src/features/alerts/alert-list-message.ts';
import { pageValue } from '../../../src/features/alerts/alert-values.ts';
import type { FoundAlerts } from '../../../src/features/alerts/find-alerts.ts';
import { newerActionId, olderActionId } from '../../../src/features/alerts/ids.ts';
import { decodeValue } from '../../../src/slack/codec.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { buttonsOf, textsOf } from '../message-parts.ts';
import { alertMadeOf } from './hostile-alert.ts';

const asOf = '2026-03-01T12:00:00.000Z';
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
const sparse: Alert = { id: 'a2', otherFields: {} };

function found(differences: Partial<FoundAlerts> = {}): FoundAlerts {
  const nothing = { filter: '', pageNumber: 1, asOf, hasOlder: false, stopped: undefined };
  return { ...nothing, alerts: [full, sparse], ...differences };
}

it('says what is wrong with what since when, in words', () => {
  const message = alertListMessage(found());
  const [, alert, other] = textsOf(message.blocks);
  expect(alert).toBe(
    [
      ':large_red_circle: Error · *orders_db∗1* (AWS EBS volume) in *Gold* (policy)',
      'Policy violated: Backup failed',
      'Updated <!date^1772359200^{ago} ({date_short_pretty} at {time})|2026-03-01 10:00 UTC> · raised 4 times',
    ].join('\n'),
  );
  expect(other).toContain('Severity not given');
  expect(other).toContain('status not given');
  expect(message.text).toContain('Error: orders_db*1, Policy violated: Backup failed, updated');
  expect(validateMessage(message.blocks)).toEqual([]);
});

it('shows a severity that it does not know, without a mark', () => {
  const message = alertListMessage(found({ alerts: [{ ...full, severity: 'constructor' }] }));
  expect(textsOf(message.blocks)[1]).toMatch(/^Constructor · /);
});

it('shows a timestamp that is none as it came', () => {
  const message = alertListMessage(found({ alerts: [{ ...full, updatedTimestamp: 'yesterday' }] }));
  expect(message.text).toContain('updated yesterday');
});

it.each([
  { pageNumber: 1, hasOlder: false, pages: [] },
  { pageNumber: 1, hasOlder: true, pages: [[olderActionId, 2]] },
  { pageNumber: 2, hasOlder: false, pages: [[newerActionId, 1]] },
  {
    pageNumber: 2,
    hasOlder: true,
    pages: [
      [newerActionId, 1],
      [olderActionId, 3],
    ],
  },
])('leads only to pages that are there: $pageNumber, $hasOlder', (page) => {
  const message = alertListMessage(found({ ...page, filter: 'gold' }));
  const turns = buttonsOf(message.blocks)
    .filter(({ action_id }) => action_id === newerActionId || action_id === olderActionId)
    .map(({ action_id, value }) => ({ action_id, page: decodeValue(pageValue, value) }));
  expect(turns.map(({ action_id, page: target }) => [action_id, target?.pageNumber])).toEqual(
    page.pages,
  );
  for (const { page: target } of turns) expect(target).toMatchObject({ filter: 'gold', asOf });
});

it('says that it stopped early, and where', () => {
  const stopped = { lookedAt: 240, backTo: '2026-02-01T00:00:00Z' };
  const message = alertListMessage(found({ alerts: [], stopped }));
  expect(message.text).toContain('No active alerts so far');
  expect(message.text).toContain('stopped after the newest 240 alerts, back to <!date^1769904000^');
  expect(message.text).toContain('Older ones were not looked at.');
});

it('has kind words when nothing is alerting', () => {
  expect(alertListMessage(found({ alerts: [] })).text).toBe('No active alerts. All is quiet.');
  const message = alertListMessage(found({ alerts: [], filter: '<!here>*' }));
  expect(message.text).toContain('No active alerts that contain “&lt;!here&gt;∗”.');
});

it.each(Object.entries(hostileTexts))('survives a service that sends %s', (_name, text) => {
  const alerts = Array.from({ length: 5 }, () => alertMadeOf(text));
  const filter = text.slice(0, 100);
  const message = alertListMessage(
    found({
      alerts,
      filter,
      pageNumber: 2,
      hasOlder: true,
      stopped: { lookedAt: 1, backTo: text },
    }),
  );
  expect(validateMessage(message.blocks)).toEqual([]);
  expect(message.text.length).toBeLessThanOrEqual(4000);
  expect(JSON.stringify([message.text, textsOf(message.blocks)])).not.toMatch(/<(?!!date)/);
});

it('lists an alert whose id no button can carry, without its button', () => {
  const message = alertListMessage(found({ alerts: [{ ...full, id: '"'.repeat(301) }] }));
  expect(buttonsOf(message.blocks)).toEqual([]);
  const carried = alertListMessage(found({ alerts: [{ ...full, id: '\u0001'.repeat(300) }] }));
  expect(validateMessage(carried.blocks)).toEqual([]);
});
