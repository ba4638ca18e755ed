import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, listPortal, messageOf, testNow } from '../call-portal.ts';

describe('lists', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  afterAll(() => service.close());

  it('starts with the first page', async () => {
    const page = await listPortal(portal(), '/users');
    expect(page).toMatchObject({
      start: '1',
      total_count: 240,
      total_pages_count: 12,
      current_count: 20,
      limit: 20,
      _links: {
        _self: { href: '/users?start=1', type: 'get', templated: false },
        _first: { href: '/users?start=1' },
        _next: { href: '/users?start=21' },
        _last: { href: '/users?start=221' },
      },
    });
    expect(page._links).not.toHaveProperty('_prev');
    expect(page._embedded.items).toHaveLength(20);
  });

  it('treats start as the position of an item, not the number of a page', async () => {
    const page = await listPortal(portal(), '/users?start=230');
    expect(page).toMatchObject({ start: '230', current_count: 11, total_count: 240 });
    expect(page._embedded.items.map(({ id }) => id)).toEqual(
      service
        .users(portal().id)
        .slice(229)
        .map(({ id }) => id),
    );
    expect(page._links).not.toHaveProperty('_next');
    expect(page._links._prev?.href).toBe('/users?start=210');
  });

  it('counts a partial last page', async () => {
    const unit = { 'x-service-organizationalunit-context': portal().organizationalUnits[1]?.id };
    const path = '/alerts/individual?start=141';
    const page = await listPortal(portal(), path, { headers: unit });
    expect(page).toMatchObject({ total_count: 150, total_pages_count: 8, current_count: 10 });
    expect(page._links._last?.href).toBe('/alerts/individual?start=141');
  });

  it('responds with an empty page past the end', async () => {
    const page = await listPortal(portal(), '/users?start=241');
    expect(page).toMatchObject({ current_count: 0, total_count: 240, _embedded: { items: [] } });
    expect(page._links._prev?.href).toBe('/users?start=221');
  });

  it.each([
    { path: '/users', total: 240 },
    { path: '/policies/definitions', total: 12 },
    { path: '/alerts/individual?sort=updated_timestamp', total: 600 },
  ])('returns each of the $total items of $path once by following _next', async (list) => {
    const ids: string[] = [];
    let next: string | undefined = list.path;
    while (next !== undefined) {
      const page = await listPortal(portal(), next);
      ids.push(...page._embedded.items.map(({ id }) => id));
      next = page._links._next?.href;
    }
    expect(ids).toHaveLength(list.total);
    expect(new Set(ids).size).toBe(list.total);
  });

  it('links back from the last page to the first', async () => {
    let page = await listPortal(portal(), '/users?start=221');
    let pages = 1;
    while (page._links._prev) {
      page = await listPortal(portal(), page._links._prev.href);
      pages += 1;
    }
    expect(pages).toBe(12);
    expect(page.start).toBe('1');
  });

  it.each(['0', '-1', '1.5', 'abc', '', '01', '%201', '99999999999999999999'])(
    'rejects start=%s',
    async (start) => {
      const reply = await callPortal(portal(), `/users?start=${start}`);
      expect(reply.status).toBe(400);
      expect(messageOf(reply)).toContain('start');
    },
  );

  it.each([
    '/users?limit=5',
    '/users?filter=x',
    '/users?sort=updated_timestamp',
    '/users?start=1&start=2',
    '/policies/definitions?sort=name',
    '/alerts/individual?sort=-updated_timestamp',
    '/alerts/individual?sort=raised_timestamp',
    '/alerts/individual?sort=',
    '/users/1?embed=role',
  ])('rejects the undocumented %s', async (path) => {
    const reply = await callPortal(portal(), path);
    expect(reply.status).toBe(400);
    expect(messageOf(reply)).not.toBe('');
  });
});

describe('lists with only the links that the contract names', () => {
  it('offers _self and _first on every page', async () => {
    const service = await startReferenceService({ now: testNow, links: 'named' });
    try {
      const page = await listPortal(firstOf(service.portals), '/users?start=21');
      expect(Object.keys(page._links)).toEqual(['_self', '_first']);
      expect(page._links._self?.href).toBe('/users?start=21');
    } finally {
      await service.close();
    }
  });
});
