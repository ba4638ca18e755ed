import { expect, it } from 'vitest';
import { callLive, filtered, listLive, openLive, walkLive } from './call-live.ts';

const path = '/datasources/aws/environments';

it('pages by token, without totals and without an echo of the filter', async () => {
  const { portal } = await openLive();
  const page = await listLive(portal, path);
  expect(page).toMatchObject({ limit: 5, current_count: 5 });
  expect(page).not.toHaveProperty('total_count');
  expect(page).not.toHaveProperty('filter_applied');
  expect(Object.keys(page._links)).toEqual(['_self', '_first', '_next']);
});

it('reads one, the same as in the list, without the keys that only AWS knows', async () => {
  const { portal } = await openLive();
  const [listed] = (await listLive(portal, path))._embedded.items;
  expect(listed).toMatchObject({
    account_name: 'production',
    aws_region: 'us-west-2',
    aws_az: ['us-west-2a', 'us-west-2b', 'us-west-2c'],
    connection_status: 'connected',
    services_enabled: ['ebs', 'rds'],
  });
  expect(listed).not.toHaveProperty('kmsKeyIds');
  expect((await callLive(portal, `${path}/${listed?.id}`)).json).toEqual(listed);
  expect((await callLive(portal, `${path}/unknown`)).status).toBe(404);
});

it('filters by account, region, connection and service', async () => {
  const { service, portal, portalId } = await openLive();
  const account = service.environments(portalId)[0]?.account_native_id ?? '';
  const count = async (filter: unknown) => (await walkLive(portal, filtered(path, filter))).length;
  expect(await count({ account_native_id: { $eq: account } })).toBe(3);
  expect(await count({ account_native_id: { $begins_with: account.slice(0, 6) } })).toBe(3);
  expect(await count({ aws_region: { $eq: 'eu-central-1' } })).toBe(2);
  expect(await count({ connection_status: { $eq: 'connected' } })).toBe(4);
  expect(await count({ services_enabled: { $contains: 'EBS' } })).toBe(5);
  const byName = filtered(path, { account_name: { $eq: 'production' } });
  expect((await callLive(portal, byName)).status).toBe(400);
});

it('belong to units like everything else', async () => {
  const { portal } = await openLive();
  const headers = { 'X-Clumio-OrganizationalUnit-Context': portal.organizationalUnits[1]?.id };
  const { items } = (await listLive(portal, path, { headers }))._embedded;
  expect(items.map(({ account_name }) => account_name)).toEqual(['finance']);
});
