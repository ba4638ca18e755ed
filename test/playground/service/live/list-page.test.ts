import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { firstOf, testNow } from '../call-portal.ts';
import { callLive, listLive, walkLive } from './call-live.ts';

describe('lists of the live dialect', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  beforeAll(async () => {
    service = await startReferenceService({ dialect: 'live', now: testNow });
  });
  afterAll(() => service.close());

  it('have page numbers', async () => {
    const page = await listLive(portal(), '/users?limit=100&start=2');
    expect(page).toMatchObject({
      start: '2',
      limit: 100,
      current_count: 100,
      total_count: 240,
      total_pages_count: 3,
      filter_applied: null,
    });
    const hrefs = Object.entries(page._links).map(([name, { href }]) => [name, href]);
    expect(Object.fromEntries(hrefs)).toEqual({
      _self: '/users?limit=100&start=2',
      _first: '/users?limit=100&start=1',
      _prev: '/users?limit=100&start=1',
      _next: '/users?limit=100&start=3',
      _last: '/users?limit=100&start=3',
      'create-user': '/users',
    });
  });

  it.each([
    { path: '/users?limit=100', total: 240 },
    { path: '/alerts/individual?sort=updated_timestamp&limit=70', total: 600 },
    { path: '/tasks', total: 64 },
    { path: '/policies/definitions', total: 12 },
    { path: '/datasources/aws/ebs-volumes', total: 44 },
    { path: '/datasources/aws/environments', total: 6 },
    { path: '/datasources/aws/environments?limit=2', total: 6 },
  ])('return each of the $total items of $path once', async ({ path, total }) => {
    const ids = (await walkLive(portal(), path)).map(({ id }) => id);
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
  });

  it('respond with an empty page past the end', async () => {
    const page = await listLive(portal(), '/users?limit=100&start=9');
    expect(page).toMatchObject({ current_count: 0, _embedded: { items: [] } });
    expect(page._links._prev?.href).toBe('/users?limit=100&start=3');
    expect(page._links).not.toHaveProperty('_next');
  });

  it.each([
    ...['/users?limit=0', '/users?limit=101', '/users?limit=ten', '/users?start=0'],
    ...['/users?sort=full_name', '/users?embed=read-role', '/users?unknown=1', '/roles?limit=5'],
    ...['/policies/definitions?limit=5', '/policies/definitions?start=2', '/tasks?sort=id'],
    ...['/users?filter=name', '/users?filter=[]', '/users?filter={"name":"ana"}'],
  ])('reject %s', async (path) => {
    expect((await callLive(portal(), encodeURI(path))).status).toBe(400);
  });
});
