import { expect, it } from 'vitest';
import type { Alert, AlertEntity } from '../../../src/dataprotection/resources/alerts.ts';
import { type AlertSearch, defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { createAlertMatcher } from '../../../src/features/alerts/matches-search.ts';
import { factsOf } from '../../../src/features/watches/alert-facts.ts';

const now = new Date('2026-11-21T12:00:00Z');
const gold: AlertEntity = { id: 'p-1', type: 'policy', value: 'Gold', otherFields: {} };
const volume: AlertEntity = { id: 'v-1', type: 'ebs', value: 'orders-7', otherFields: {} };
const alert: Alert = {
  id: 'a1',
  type: 'policy_violated',
  severity: 'error',
  status: 'active',
  updatedTimestamp: '2026-11-20T12:00:00Z',
  primaryEntity: volume,
  parentEntity: gold,
  otherFields: {},
};

function means(search: Partial<AlertSearch>, changes: Partial<Alert> = {}): boolean {
  return createAlertMatcher({ ...defaultSearch, ...search }, now)({ ...alert, ...changes });
}

it.each<[Partial<AlertSearch>, boolean]>([
  [{}, true],
  [{ severities: ['warning'] }, false],
  [{ severities: ['warning', 'error'] }, true],
  [{ types: ['tag_conflict'] }, false],
  [{ status: 'cleared' }, false],
  [{ status: 'all' }, true],
  [{ since: '1d' }, true],
  [{ since: '23h' }, false],
  [{ since: '2026-11-20' }, true],
  [{ words: ['ORDERS', 'gold'] }, true],
  [{ words: ['orders', 'silver'] }, false],
])('%j: %s', (search, isMatch) => {
  expect(means(search)).toBe(isMatch);
});

it('finds the policy in every field that can name it', () => {
  const nowhere = { parentEntity: undefined };
  const details = { variables: { policy_name: 'Gold' }, otherFields: {} };
  expect(means({ policy: 'gol' })).toBe(true);
  expect(means({ policy: 'P-1' })).toBe(true);
  expect(means({ policy: 'gold' }, nowhere)).toBe(false);
  expect(means({ policy: 'gold' }, { parentEntity: { ...gold, type: 'account' } })).toBe(false);
  expect(means({ policy: 'gold' }, { ...nowhere, primaryEntity: gold })).toBe(true);
  expect(means({ policy: 'gold' }, { ...nowhere, tags: [volume, gold] })).toBe(true);
  expect(means({ policy: 'gold' }, { ...nowhere, details })).toBe(true);
});

it('treats an unknown status as active', () => {
  expect(means({}, { status: 'muted' })).toBe(true);
  expect(means({}, { status: 'cleared' })).toBe(false);
  expect(means({ status: 'cleared' }, { status: 'cleared' })).toBe(true);
});

it.each<[Partial<Alert>, boolean]>([
  [{ status: undefined, clearedTimestamp: '2026-11-20T12:00:00Z' }, true],
  [{ status: 'cleared', clearedTimestamp: undefined }, true],
  [{ status: undefined, clearedTimestamp: undefined }, false],
  [{ status: undefined, clearedTimestamp: '' }, false],
  [{ status: 'active', clearedTimestamp: '2026-11-20T12:00:00Z' }, false],
  [{ status: 'muted', clearedTimestamp: '2026-11-20T12:00:00Z' }, false],
])('a list and a watch agree that %j is cleared: %s', (changes, isCleared) => {
  expect(means({ status: 'cleared' }, changes)).toBe(isCleared);
  expect(means({ status: 'active' }, changes)).toBe(!isCleared);
  expect(factsOf({ ...alert, ...changes }).isCleared).toBe(isCleared);
});
