import { expect, it } from 'vitest';
import { firstOf } from '../call-portal.ts';
import { callLive, listLive, openLive } from './call-live.ts';

it('lists and reads roles with matching user counts', async () => {
  const { portal } = await openLive();
  const { items } = (await listLive(portal, '/roles'))._embedded;
  const counts = items.map(({ user_count }) => Number(user_count));
  expect(counts.reduce((sum, count) => sum + count)).toBe(240);
  const role = firstOf(items);
  expect((await callLive(portal, `/roles/${role.id}`)).json).toEqual(role);
  expect(await listLive(portal, '/roles/permissions')).toMatchObject({ total_count: 5 });
});
