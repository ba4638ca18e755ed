import { expect, it } from 'vitest';
import { NotFoundError } from '../../../src/dataprotection/http/errors.ts';
import { listNewestAlerts, readAlert } from '../../../src/dataprotection/resources/alerts.ts';
import { listAlerts } from '../list-alerts.ts';
import { answerJson, clientOf, collect, errorOf } from '../local-server.ts';
import { openReference } from '../reference-service.ts';

function isSorted(values: (string | undefined)[], direction: 1 | -1): boolean {
  return values.every((value, index) => {
    const before = values[index - 1] ?? value ?? '';
    return before === value || before < (value ?? '') === (direction === 1);
  });
}

it.each(['all', 'named'] as const)(
  'reads every alert once, newest first, %s links',
  async (links) => {
    const { client } = await openReference({ links });
    const alerts = await collect(listNewestAlerts(client));
    const ids = new Set(alerts.map(({ id }) => id));
    expect(ids.size).toBe(600);
    expect(alerts).toHaveLength(600);
    expect(
      isSorted(
        alerts.map(({ updatedTimestamp }) => updatedTimestamp),
        -1,
      ),
    ).toBe(true);

    const forward = await collect(listAlerts(client, { sort: 'updated_timestamp' }));
    expect(forward.map(({ id }) => id).toReversed()).toEqual(alerts.map(({ id }) => id));
  },
);

it.each(['all', 'named'] as const)(
  'needs two requests for the newest page, %s links',
  async (links) => {
    const { service, client } = await openReference({ links });
    const { value: page } = await listNewestAlerts(client).next();
    expect(page?.items.length).toBeGreaterThan(0);
    expect(service.requests).toHaveLength(2);
    expect(service.requests[0]?.path).toBe('/alerts/individual?sort=updated_timestamp');
    expect(service.requests[1]?.path).toMatch(/sort=updated_timestamp&start=\d+$/);
  },
);

it('starts at the given position', async () => {
  const { service, client } = await openReference();
  const options = { sort: 'updated_timestamp', start: '21' } as const;
  const { value: page } = await listAlerts(client, options).next();
  expect(page?.start).toBe('21');
  expect(service.requests[0]?.path).toBe('/alerts/individual?sort=updated_timestamp&start=21');
});

it('reads one alert, the same as in the list', async () => {
  const { client } = await openReference();
  const { value: page } = await listNewestAlerts(client).next();
  const [alert] = page?.items ?? [];
  expect(await readAlert(client, alert?.id ?? '')).toEqual(alert);
  expect(await errorOf(readAlert(client, 'unknown'))).toBeInstanceOf(NotFoundError);
});

it('reads all documented fields, and preserves unknown ones at every level', async () => {
  const client = await clientOf((_request, response) =>
    answerJson(response, {
      id: 'a1',
      type: 'restore_failed',
      cause: 'x',
      severity: 'dire',
      status: 'active',
      notes: '',
      raised_count: 3,
      raised_timestamp: 'r',
      updated_timestamp: 'u',
      cleared_timestamp: null,
      consolidated_alert_id: 9,
      _etag: 'e',
      color: 'red',
      primary_entity: { id: 1, type: 'vm', value: 'db-1', zone: 'a' },
      parent_entity: 'none',
      tags: [{ id: '1' }, 'loose'],
      details: { description: 'Do this', variables: { a: 'b' }, url: 'u', _links: {} },
    }),
  );
  expect(await readAlert(client, 'a1')).toEqual({
    id: 'a1',
    type: 'restore_failed',
    cause: 'x',
    severity: 'dire',
    status: 'active',
    notes: '',
    raisedCount: 3,
    raisedTimestamp: 'r',
    updatedTimestamp: 'u',
    consolidatedAlertId: '9',
    etag: 'e',
    primaryEntity: { id: '1', type: 'vm', value: 'db-1', otherFields: { zone: 'a' } },
    details: { description: 'Do this', variables: { a: 'b' }, otherFields: { url: 'u' } },
    otherFields: { color: 'red', parent_entity: 'none', tags: [{ id: '1' }, 'loose'] },
  });
});
