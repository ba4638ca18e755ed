import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { firstOf, testNow } from '../call-portal.ts';
import { callLive, filtered, listLive, walkLive } from './call-live.ts';

const path = '/alerts/individual';

describe('alerts of the live dialect', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const alerts = () => service.alerts(portal().id);
  const found = async (filter: unknown) => {
    const items = await walkLive(portal(), `${filtered(path, filter)}&limit=100`);
    return items.map(({ id }) => id).toSorted();
  };
  const idsOf = (matching: (alert: ReturnType<typeof alerts>[number]) => boolean) =>
    alerts()
      .filter(matching)
      .map(({ id }) => id)
      .toSorted();
  beforeAll(async () => {
    service = await startReferenceService({ dialect: 'live', now: testNow });
  });
  afterAll(() => service.close());

  it('are listed newest first by default', async () => {
    const page = await listLive(portal(), path);
    expect(page.sort_applied).toBe('-raised_timestamp');
    const times = page._embedded.items.map((item) => String(item.raised_timestamp));
    expect(times).toEqual(times.toSorted().reverse());
  });

  it.each(['raised_timestamp', 'updated_timestamp', 'cleared_timestamp'])(
    'sort by %s in both directions',
    async (field) => {
      const ascending = await walkLive(portal(), `${path}?limit=100&sort=${field}`);
      const descending = await walkLive(portal(), `${path}?limit=100&sort=-${field}`);
      expect(descending).toEqual(ascending.toReversed());
    },
  );

  it.each(['id', '-severity', 'raised_timestamp,updated_timestamp', ''])(
    'reject the sort %j',
    async (sort) => {
      expect((await callLive(portal(), `${path}?sort=${sort}`)).status).toBe(400);
    },
  );

  it('can be filtered by type, status and severity together', async () => {
    const filter = { status: { $in: ['active'] }, severity: { $in: ['error', 'warning'] } };
    expect(await found(filter)).toEqual(
      idsOf(({ status, severity }) => status === 'active' && severity !== 'notice'),
    );
    expect(await found({ type: { $in: ['tag_conflict'] } })).toEqual(
      idsOf(({ type }) => type === 'tag_conflict'),
    );
  });

  it('can be filtered by time', async () => {
    const since = '2026-02-20T00:00:00+01:00';
    expect(await found({ updated_timestamp: { $gte: since } })).toEqual(
      idsOf((alert) => Date.parse(alert.updated_timestamp) >= Date.parse(since)),
    );
    expect(await found({ cleared_timestamp: { $lte: since } })).toEqual(
      idsOf(({ cleared_timestamp: at }) => !!at && Date.parse(at) <= Date.parse(since)),
    );
  });

  it('can be filtered by entity', async () => {
    const { parent_entity } = firstOf(alerts().filter((alert) => alert.parent_entity));
    const parent = {
      'parent_entity.id': { $eq: parent_entity?.id },
      'parent_entity.type': { $eq: 'policy' },
    };
    expect(await found(parent)).toEqual(
      idsOf((alert) => alert.parent_entity?.id === parent_entity?.id),
    );
    expect(await found({ 'primary_entity.value': { $contains: 'billing' } })).toEqual(
      idsOf((alert) => !!alert.primary_entity?.value.includes('billing')),
    );
  });

  it.each([
    { status: { $eq: 'active' } },
    { updated_timestamp: { $gt: '2026-02-20T00:00:00Z' } },
    { updated_timestamp: { $gte: 'yesterday' } },
    { 'parent_entity.id': { $eq: 'x' } },
    { notes: { $contains: 'x' } },
    { status: { $in: [] } },
  ])('reject the filter %j', async (filter) => {
    expect((await callLive(portal(), filtered(path, filter))).status).toBe(400);
  });
});
