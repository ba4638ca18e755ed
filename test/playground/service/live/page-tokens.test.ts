import { expect, it } from 'vitest';
import { filtered, listLive, openLive, walkLive } from './call-live.ts';

it('pages policies by token, without totals or a previous page', async () => {
  const { portal } = await openLive();
  const page = await listLive(portal, '/policies/definitions');
  expect(page).not.toHaveProperty('total_count');
  expect(Object.keys(page._links)).toEqual([
    '_self',
    '_first',
    '_next',
    'create-policy-definition',
  ]);
  expect(page._links._next?.href).not.toMatch(/start=\d+$/);
});

it('preserves the filter across pages', async () => {
  const { portal } = await openLive();
  const path = filtered('/policies/definitions', { activation_status: { $eq: 'activated' } });
  expect(await walkLive(portal, path)).toHaveLength(11);
});
