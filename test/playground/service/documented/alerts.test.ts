import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, listPortal, testNow } from '../call-portal.ts';

const ninetyDays = 90 * 24 * 60 * 60 * 1000;

describe('alerts', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const alerts = () => service.alerts(portal().id);
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  afterAll(() => service.close());

  it('sorts ascending by last update', async () => {
    const timestamps: string[] = [];
    for (const start of [1, 21, 581]) {
      const path = `/alerts/individual?sort=updated_timestamp&start=${start}`;
      const { items } = (await listPortal(portal(), path))._embedded;
      timestamps.push(...items.map((item) => z.string().parse(item.updated_timestamp)));
    }
    expect(timestamps).toEqual(timestamps.toSorted());
    const newest = alerts()
      .map((alert) => alert.updated_timestamp)
      .toSorted()
      .at(-1);
    expect(timestamps.at(-1)).toBe(newest);
  });

  it('includes the sort in the links', async () => {
    const page = await listPortal(portal(), '/alerts/individual?sort=updated_timestamp');
    expect(page._links._next?.href).toBe('/alerts/individual?sort=updated_timestamp&start=21');
  });

  it('has no particular order without a sort', async () => {
    const { items } = (await listPortal(portal(), '/alerts/individual'))._embedded;
    const timestamps = items.map((item) => z.string().parse(item.updated_timestamp));
    expect(timestamps).not.toEqual(timestamps.toSorted());
    expect(timestamps).not.toEqual(timestamps.toSorted().reverse());
  });

  it('reads one, the same as in the list', async () => {
    const listed = firstOf((await listPortal(portal(), '/alerts/individual'))._embedded.items);
    const reply = await callPortal(portal(), `/alerts/individual/${listed.id}`);
    expect(reply.json).toEqual(listed);
    expect((await callPortal(portal(), '/alerts/individual/unknown')).status).toBe(404);
  });

  it('are spread over the last ninety days', () => {
    const times = alerts().map((alert) => Date.parse(alert.updated_timestamp));
    expect(Math.max(...times)).toBeLessThanOrEqual(testNow.getTime());
    expect(Math.min(...times)).toBeGreaterThanOrEqual(testNow.getTime() - ninetyDays);
    expect(Math.min(...times)).toBeLessThan(testNow.getTime() - ninetyDays * 0.9);
  });

  it('are about one third cleared', () => {
    const cleared = alerts().filter(({ status }) => status === 'cleared');
    expect(cleared.length).toBeGreaterThan(160);
    expect(cleared.length).toBeLessThan(240);
  });

  it('include some with every field, with hardly any, and with unknown ones', () => {
    const full = alerts().filter(
      ({ notes, tags, parent_entity, details, cleared_timestamp }) =>
        notes && tags?.length && parent_entity && details?.variables && cleared_timestamp === null,
    );
    expect(full.length).toBeGreaterThan(0);
    expect(alerts().some(({ details, cause }) => !details && !cause)).toBe(true);
    expect(alerts().some((alert) => 'blast_radius' in alert)).toBe(true);
    expect(alerts().some(({ severity }) => severity === 'notice')).toBe(true);
    expect(alerts().some(({ type }) => type === 'quota_exhausted')).toBe(true);
  });
});
