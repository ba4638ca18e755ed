import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import { NotFoundError } from '../../../src/dataprotection/http/errors.ts';
import type { AlertFilter } from '../../../src/dataprotection/resources/alert-filter.ts';
import {
  type Alert,
  listNewestAlerts,
  readAlert,
} from '../../../src/dataprotection/resources/alerts.ts';
import { collect, errorOf } from '../local-server.ts';
import { openReference } from '../reference-service.ts';

const updatedAt = ({ updatedTimestamp = '' }: Alert) => Date.parse(updatedTimestamp);

describe.each(dialects)('alerts, %s dialect', (dialect) => {
  it('are listed newest first, each once', async () => {
    const { client, service, portal } = await openReference({ dialect });
    const alerts = await collect(listNewestAlerts(client));
    expect(alerts).toHaveLength(service.alerts(portal.id).length);
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(alerts.length);
    const updates = alerts.map(updatedAt);
    expect(updates).toEqual(updates.toSorted((a, b) => b - a));
  });

  it('are the same in the list and read one by one', async () => {
    const { client } = await openReference({ dialect });
    const { value: page } = await listNewestAlerts(client).next();
    const [alert] = page?.items ?? [];
    expect(await readAlert(client, alert?.id ?? '')).toEqual(alert);
    expect(await errorOf(readAlert(client, 'unknown'))).toBeInstanceOf(NotFoundError);
  });

  it.each<[string, (sample: Alert) => AlertFilter, (alert: Alert, sample: Alert) => boolean]>([
    ['cleared', () => ({ isCleared: true }), ({ status }) => status === 'cleared'],
    [
      'of a severity',
      ({ severity = '' }) => ({ severities: [severity, 'dire'] }),
      (alert, { severity }) => alert.severity === severity,
    ],
    ['of a type', ({ type = '' }) => ({ types: [type] }), (alert, { type }) => alert.type === type],
    [
      'updated since',
      (sample) => ({ updatedSince: new Date(updatedAt(sample)) }),
      (alert, sample) => updatedAt(alert) >= updatedAt(sample),
    ],
    [
      'of a severity and a type',
      ({ severity = '', type = '' }) => ({ severities: [severity], types: [type] }),
      (alert, { severity, type }) => alert.severity === severity && alert.type === type,
    ],
    ['of no severity at all', () => ({ severities: [] }), () => false],
  ])('match the filter: %s', async (_name, filterFor, matches) => {
    const { client } = await openReference({ dialect });
    const everything = await collect(listNewestAlerts(client));
    const sample = everything.at(40);
    if (!sample) throw new Error('no alert to choose by');
    const expected = everything.filter((alert) => matches(alert, sample));
    const found = await collect(listNewestAlerts(client, { filter: filterFor(sample) }));
    expect(found).toEqual(expected);
    expect(found.length).toBeLessThan(everything.length);
  });

  it('do not include cleared alerts in the active ones', async () => {
    const { client, service, portal } = await openReference({ dialect });
    const found = await collect(listNewestAlerts(client, { filter: { isCleared: false } }));
    const active = service.alerts(portal.id).filter(({ status }) => status === 'active');
    const ids = new Set(found.map(({ id }) => id));
    expect(active.every(({ id }) => ids.has(id))).toBe(true);
    expect(found.some(({ status }) => status === 'cleared')).toBe(false);
  });

  it('are not read further back than requested', async () => {
    const { client, service } = await openReference({ dialect });
    const { value: page } = await listNewestAlerts(client).next();
    const [newest] = page?.items ?? [];
    const before = service.requests.length;
    const filter = { updatedSince: new Date(updatedAt(newest ?? { id: '', otherFields: {} })) };
    await collect(listNewestAlerts(client, { filter }));
    expect(service.requests.length - before).toBeLessThanOrEqual(2);
  });
});
