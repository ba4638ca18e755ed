import { expect, it } from 'vitest';
import { z } from 'zod';
import { firstOf } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive } from './call-live.ts';

const path = '/organizational-units';

it('lists the units that the token has access to', async () => {
  const { portal } = await openLive();
  const [global, finance] = portal.organizationalUnits;
  const { items } = (await listLive(portal, path))._embedded;
  expect(items).toMatchObject([
    { id: global?.id, name: 'Global', parent_id: null, children_count: 1, user_count: 240 },
    { id: finance?.id, name: 'Finance', parent_id: global?.id, user_count: 60 },
  ]);
  const restricted = { ...portal, token: portal.restrictedToken };
  expect(await listLive(restricted, path)).toMatchObject({ total_count: 1 });
});

it('filters units by name, parent and id', async () => {
  const { portal } = await openLive();
  const [global, finance] = portal.organizationalUnits;
  for (const filter of [
    { name: { $contains: 'Finan' } },
    { parent_id: { $eq: global?.id } },
    { id: { $in: [finance?.id] } },
  ]) {
    const { items } = (await listLive(portal, filtered(path, filter)))._embedded;
    expect(items.map(({ name }) => name)).toEqual(['Finance']);
  }
});

it('reads one unit with its users in both versions', async () => {
  const { portal } = await openLive();
  const target = `${path}/${portal.organizationalUnits[1]?.id}`;
  const users = z.looseObject({ users: z.array(z.unknown()).length(60) });
  expect(firstOf(users.parse((await callLive(portal, target)).json).users)).toBe('1');
  const headers = { accept: 'application/api.clumio.organizational-units=v2+json' };
  const second = await callLive(portal, target, { headers });
  expect(firstOf(users.parse(second.json).users)).toMatchObject({ user_id: '1' });
  expect((await callLive(portal, `${path}/unknown`)).status).toBe(404);
});
