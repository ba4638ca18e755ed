import { expect, it } from 'vitest';
import type { Alert as ServiceAlert } from '../../../playground/service/resources.ts';
import { ServiceTimeoutError } from '../../../src/dataprotection/http/errors.ts';
import { type AlertSearch, defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { addMarks, alertsPerPage, findAlerts } from '../../../src/features/alerts/find-alerts.ts';
import { errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

const never = new AbortController().signal;
/** Stops counting immediately. */
const patience = () => ({
  now: new Date(),
  signal: never,
  stopCounting: AbortSignal.abort(),
  maxServicePages: 200,
});
const firstPage = { search: defaultSearch };

function withWords(...words: string[]): { search: AlertSearch } {
  return { search: { ...defaultSearch, words } };
}

function newestActive(alerts: ServiceAlert[]): ServiceAlert[] {
  return alerts
    .filter(({ status }) => status !== 'cleared')
    .toSorted((one, other) => (one.updated_timestamp < other.updated_timestamp ? 1 : -1));
}

async function openAlerts() {
  const reference = await openReference();
  const expected = newestActive(reference.service.alerts(reference.portal.id));
  return { ...reference, expected: expected.map(({ id }) => id), active: expected };
}

it('shows the newest active alerts first', async () => {
  const { client, expected } = await openAlerts();
  const found = await findAlerts(client, firstPage, patience());
  expect(found.alerts.map(({ id }) => id)).toEqual(expected.slice(0, alertsPerPage));
  expect(found).toMatchObject({ hasMore: true, stopped: undefined });
});

it('requests no more alerts than the page needs', async () => {
  const { client, service } = await openAlerts();
  await findAlerts(client, firstPage, patience());
  expect(service.requests).toHaveLength(2);
});

it('continues after the previous page, to the last active alert', async () => {
  const { client, active, expected } = await openAlerts();
  const lastNumber = Math.ceil(expected.length / alertsPerPage);
  const pages = [2, lastNumber].map((pageNumber) => {
    const before = active.slice(0, (pageNumber - 1) * alertsPerPage);
    const shown = addMarks(
      '',
      before.map(({ id }) => ({ id, otherFields: {} })),
    );
    return findAlerts(client, { ...firstPage, shown }, patience());
  });
  const [second, last] = await Promise.all(pages);
  expect(second?.alerts.map(({ id }) => id)).toEqual(
    expected.slice(alertsPerPage, 2 * alertsPerPage),
  );
  expect(last?.alerts.map(({ id }) => id)).toEqual(
    expected.slice((lastNumber - 1) * alertsPerPage),
  );
  expect(last?.hasMore).toBe(false);
});

it('returns the newest update, and excludes alerts raised after it', async () => {
  const { client, expected, active, service, portal } = await openAlerts();
  const found = await findAlerts(client, firstPage, patience());
  const updates = service.alerts(portal.id).map((alert) => alert.updated_timestamp);
  expect(found.asOf).toBe(updates.toSorted().at(-1));

  const [newest] = active;
  if (!newest) throw new Error('there is no active alert');
  const later = new Date(Date.parse(found.asOf ?? '') + 1000).toISOString();
  const times = { raised_timestamp: later, updated_timestamp: later };
  service.putAlert(portal.id, { ...newest, ...times, id: 'raised later', raised_count: 1 });
  const anchored = await findAlerts(client, { ...firstPage, asOf: found.asOf }, patience());
  expect(anchored.alerts.map(({ id }) => id)).toEqual(expected.slice(0, alertsPerPage));
  expect(anchored.asOf).toBe(found.asOf);
  const anew = await findAlerts(client, firstPage, patience());
  expect(anew.alerts[0]?.id).toBe('raised later');
});

it('finds words in the displayed text, case-insensitively', async () => {
  const { client } = await openAlerts();
  const found = await findAlerts(client, withWords('ENCRYPTION key'), patience());
  expect(found.alerts).toHaveLength(alertsPerPage);
  expect(found.alerts.map(({ type }) => type)).toEqual(
    Array(alertsPerPage).fill('enc_key_inaccessible'),
  );
});

it('shows an alert with an unknown status', async () => {
  const { client } = await openAlerts();
  const found = await findAlerts(client, withWords('muted'), patience());
  expect(found.alerts.map(({ status }) => status)).toEqual(['muted']);
  expect(found).toMatchObject({ hasMore: false, stopped: undefined });
});

it('returns how far it read before the timeout', async () => {
  const { client, service } = await openAlerts();
  service.setFault(
    { kind: 'hang' },
    { pathPrefix: '/alerts/individual?sort=updated_timestamp&start=541' },
  );
  const signal = AbortSignal.timeout(2000);
  const query = withWords('nothing is called so');
  const found = await findAlerts(client, query, { ...patience(), signal });
  expect(found.alerts).toEqual([]);
  expect(found.stopped?.examinedCount).toBe(40);
  expect(found.stopped?.backTo).toMatch(/^\d{4}-/);
});

it('returns how far it read if the list is too long', async () => {
  const { client } = await openAlerts();
  const query = withWords('nothing is called so');
  const found = await findAlerts(client, query, { ...patience(), maxServicePages: 3 });
  expect(found.stopped?.examinedCount).toBe(60);
  const whole = await findAlerts(client, query, { ...patience(), maxServicePages: 30 });
  expect(whole.stopped).toBeUndefined();
});

it('throws if nothing could be read in time', async () => {
  const { client, service } = await openAlerts();
  service.setFault({ kind: 'hang' });
  const signal = AbortSignal.timeout(50);
  const error = await errorOf(findAlerts(client, firstPage, { ...patience(), signal }));
  expect(error).toBeInstanceOf(ServiceTimeoutError);
});
