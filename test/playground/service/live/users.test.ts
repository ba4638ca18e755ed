import { expect, it } from 'vitest';
import { roles } from '../../../../playground/service/data/roles.ts';
import { firstOf } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive } from './call-live.ts';

const secondVersion = { headers: { accept: 'application/api.clumio.users=v2+json' } };

it('renders both versions', async () => {
  const { service, portal, portalId } = await openLive();
  const user = service.user(portalId, '5');
  const path = '/users/5';
  const first = await callLive(portal, path);
  expect(first.json).toMatchObject({
    ...user,
    organizational_unit_count: 1,
    assigned_role: expect.any(String),
    assigned_organizational_unit_ids: [portal.organizationalUnits[1]?.id],
    _links: { 'update-user': { href: path, type: 'patch', templated: false } },
  });
  const second = await callLive(portal, path, secondVersion);
  expect(second.json).toMatchObject({
    ...user,
    access_control_configuration: [
      {
        role_id: expect.any(String),
        organizational_unit_ids: [portal.organizationalUnits[1]?.id],
      },
    ],
    _etag: expect.any(String),
  });
  expect(second.json).not.toHaveProperty('assigned_role');
});

it('returns the units of a user only when read by id, in version 1', async () => {
  const { portal } = await openLive();
  const item = firstOf((await listLive(portal, '/users'))._embedded.items);
  expect(item).toHaveProperty('assigned_role');
  expect(item).not.toHaveProperty('assigned_organizational_unit_ids');
});

it('returns every role in version 2, and the first in version 1', async () => {
  const { service, portal, portalId } = await openLive();
  const [superAdmin, , operator] = roles;
  const access = [
    { roleId: superAdmin?.id ?? '', unitIds: [] },
    { roleId: operator?.id ?? '', unitIds: ['unit-a', 'unit-b'] },
  ];
  service.changeUser(portalId, '5', { access });
  const second = await callLive(portal, '/users/5', secondVersion);
  expect(second.json).toMatchObject({
    access_control_configuration: [
      { role_id: superAdmin?.id, organizational_unit_ids: [] },
      { role_id: operator?.id, organizational_unit_ids: ['unit-a', 'unit-b'] },
    ],
    _embedded: { 'read-role': [{ name: 'Super Admin' }, { name: 'Backup Operator' }] },
  });
  expect(second.json).not.toHaveProperty('access');
  expect((await callLive(portal, '/users/5')).json).toMatchObject({
    assigned_role: superAdmin?.id,
    assigned_organizational_unit_ids: [],
    _embedded: { name: 'Super Admin' },
  });
  const byRole = filtered('/users', { role_id: { $eq: superAdmin?.id } });
  const { items } = (await listLive(portal, byRole, secondVersion))._embedded;
  expect(items.map(({ id }) => id)).toEqual(['1', '5', '161']);
});

it('filters by a part of the name, case-insensitively', async () => {
  const { portal } = await openLive();
  const page = await listLive(portal, filtered('/users', { name: { $contains: 'ANA' } }));
  expect(page._embedded.items.map(({ full_name }) => full_name)).toEqual([
    'Ana Silva',
    'Joana Prado',
    'Mariana Costa',
  ]);
  expect(page.filter_applied).toBe('{"name":{"$contains":"ANA"}}');
});

it('filters by role and by unit in version 2 only', async () => {
  const { portal } = await openLive();
  const unit = portal.organizationalUnits[1]?.id;
  const byUnit = filtered('/users', { organizational_unit_id: { $eq: unit } });
  expect(await listLive(portal, byUnit, secondVersion)).toMatchObject({ total_count: 60 });
  expect((await callLive(portal, byUnit)).status).toBe(400);
  const byMail = filtered('/users', { email: { $eq: 'ana.silva@example.com' } });
  expect((await callLive(portal, byMail, secondVersion)).status).toBe(400);
});

it('changes the fields of a PATCH, and ignores null', async () => {
  const { service, portal, portalId } = await openLive();
  const json = { is_enabled: false, full_name: null, access_control_configuration_updates: null };
  const reply = await callLive(portal, '/users/1', { method: 'PATCH', json, ...secondVersion });
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ id: '1', is_enabled: false });
  expect(service.user(portalId, '1')?.is_enabled).toBe(false);
  const listed = firstOf((await listLive(portal, '/users'))._embedded.items);
  expect(listed).toMatchObject({ id: '1', is_enabled: false });
});

it('responds to a deletion with arbitrary JSON', async () => {
  const { portal } = await openLive();
  const reply = await callLive(portal, '/users/2', { method: 'DELETE' });
  expect(reply).toMatchObject({ status: 200, json: {} });
  expect((await callLive(portal, '/users/2', { method: 'DELETE' })).status).toBe(404);
});
