import { expect, it } from 'vitest';
import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import type { AlertSearch } from '../../../src/features/alerts/alert-search.ts';
import { sortAlerts } from '../../../src/features/alerts/sort-alerts.ts';

/** Newest update first, as they are read; one has no readable time of being raised. */
const alerts: Alert[] = [
  made('new', '2026-11-20T00:00:00Z', '2026-11-01T00:00:00Z', 'warning'),
  made('mid', '2026-11-19T00:00:00+02:00', '2026-11-18T00:00:00Z', 'error'),
  made('odd', '2026-11-18T00:00:00Z', 'last week', 'notice'),
  made('old', '2026-11-17T00:00:00Z', '2026-11-02T00:00:00Z', 'error'),
];

function made(id: string, updatedTimestamp: string, raisedTimestamp: string, severity: string) {
  return { id, updatedTimestamp, raisedTimestamp, severity, otherFields: {} };
}

it.each<[AlertSearch['sort'], string]>([
  ['-updated', 'new mid odd old'],
  ['updated', 'old odd mid new'],
  ['-raised', 'mid old new odd'],
  ['raised', 'new old mid odd'],
  ['-severity', 'mid old new odd'],
  ['severity', 'odd new mid old'],
])('%s', (sort, order) => {
  const sorted = sortAlerts(alerts, sort);
  expect(sorted.map(({ id }) => id).join(' ')).toBe(order);
});
