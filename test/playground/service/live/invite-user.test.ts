import { expect, it } from 'vitest';
import { z } from 'zod';
import { roleByKey } from '../../../../playground/service/data/roles.ts';
import { globalUnitId } from '../../../../playground/service/portal/portal-definitions.ts';
import { messageOf, testNow } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive } from './call-live.ts';

const oneDay = 24 * 60 * 60 * 1000;
const created = z.looseObject({ id: z.string() });
const person = { email: 'nina.weiss@harbor.example', full_name: 'Nina Weiss' };

async function openInvitation() {
  let time = testNow.getTime();
  const opened = await openLive({ clock: () => new Date(time) });
  const { portal } = opened;
  const unit = portal.organizationalUnits[1]?.id ?? '';
  const role_id = roleByKey.restoreOperator.id;
  const body = {
    ...person,
    access_control_configuration: [{ role_id, organizational_unit_ids: [unit] }],
  };
  const send = (json: unknown, version = 2, token = portal.token) => {
    const headers = { accept: `application/api.clumio.users=v${version}+json` };
    return callLive({ ...portal, token }, '/users', { method: 'POST', json, headers });
  };
  const invite = (change: object = {}) => send({ ...body, ...change });
  const pass = (ms: number) => {
    time += ms;
  };
  return { ...opened, unit, role_id, body, send, invite, pass };
}

it('creates a user who is invited until the invitation is accepted', async () => {
  const { service, portal, portalId, body, invite, unit } = await openInvitation();
  const reply = await invite();
  expect(reply.status).toBe(200);
  const { id } = created.parse(reply.json);
  const invited = { ...body, id, is_enabled: true, is_confirmed: false, inviter: '1' };
  expect(reply.json).toMatchObject({ ...invited, last_activity_timestamp: null });
  expect(reply.text).not.toContain('invitedAt');
  const headers = { accept: 'application/api.clumio.users=v2+json' };
  expect((await callLive(portal, `/users/${id}`, { headers })).json).toEqual(reply.json);
  const byName = filtered('/users', { name: { $contains: 'weiss' } });
  const inUnit = { ...headers, 'X-Clumio-OrganizationalUnit-Context': unit };
  expect((await listLive(portal, byName, { headers: inUnit }))._embedded.items).toEqual([
    reply.json,
  ]);

  expect(service.acceptInvitation(portalId, id)).toBe(true);
  expect((await callLive(portal, `/users/${id}`)).json).toMatchObject({ is_confirmed: true });
  expect(service.acceptInvitation(portalId, id)).toBe(false);
});

it('ends after 7 days without a trace, and is renewed by deleting and inviting anew', async () => {
  const { service, portal, portalId, invite, pass } = await openInvitation();
  const { id } = created.parse((await invite()).json);
  pass(7 * oneDay + 1);
  expect(service.acceptInvitation(portalId, id)).toBe(false);
  expect((await callLive(portal, `/users/${id}`)).json).toMatchObject({
    is_enabled: true,
    is_confirmed: false,
  });
  expect((await invite()).status).toBe(409);
  await callLive(portal, `/users/${id}`, { method: 'DELETE' });
  const again = created.parse((await invite()).json);
  expect(again.id).not.toBe(id);
  expect(service.acceptInvitation(portalId, again.id)).toBe(true);
});

it('is not accepted while the user is disabled', async () => {
  const { service, portal, portalId, invite } = await openInvitation();
  const { id } = created.parse((await invite()).json);
  const enable = (is_enabled: boolean) =>
    callLive(portal, `/users/${id}`, { method: 'PATCH', json: { is_enabled } });
  await enable(false);
  expect(service.acceptInvitation(portalId, id)).toBe(false);
  await enable(true);
  expect(service.acceptInvitation(portalId, id)).toBe(true);
});

it('gives away the highest role if none is named for the global unit', async () => {
  const { invite } = await openInvitation();
  const inGlobal = [{ organizational_unit_ids: [globalUnitId] }];
  for (const [access_control_configuration, email] of [
    [undefined, 'a@harbor.example'],
    [inGlobal, 'b@harbor.example'],
  ]) {
    expect((await invite({ access_control_configuration, email })).json).toMatchObject({
      access_control_configuration: [
        { role_id: roleByKey.superAdmin.id, organizational_unit_ids: [globalUnitId] },
      ],
    });
  }
});

it('takes one role and several units in version 1', async () => {
  const { send, unit, role_id } = await openInvitation();
  const reply = await send(
    { ...person, assigned_role: role_id, organizational_unit_ids: [unit] },
    1,
  );
  expect(reply.json).toMatchObject({
    assigned_role: role_id,
    assigned_organizational_unit_ids: [unit],
  });
  const other = { email: 'other@harbor.example', full_name: 'Other' };
  expect((await send({ ...other, organizational_unit_ids: [unit] }, 1)).json).toMatchObject({
    assigned_role: roleByKey.unitAdmin.id,
  });
});

it.each([
  { email: 'nina' },
  { email: 'nina.weiss@gmail.com' },
  { full_name: ' ' },
  { access_control_configuration: [] },
  { access_control_configuration: [{ role_id: roleByKey.restoreOperator.id }] },
  { access_control_configuration: [{ role_id: globalUnitId, organizational_unit_ids: ['x'] }] },
  { is_enabled: false },
])('rejects %j', async (change) => {
  const { service, portalId, invite } = await openInvitation();
  const reply = await invite(change);
  expect(reply.status).toBe(400);
  expect(messageOf(reply)).not.toBe('');
  expect(service.users(portalId)).toHaveLength(240);
});

it('rejects an address that a user has, in any case of letters', async () => {
  const { invite } = await openInvitation();
  expect((await invite({ email: 'Ana.Silva@EXAMPLE.com' })).status).toBe(409);
});

it('assigns only units of the token', async () => {
  const { portal, send, body } = await openInvitation();
  expect((await send(body, 2, portal.restrictedToken)).status).toBe(403);
});

it('sets no roles while automatic provisioning is on', async () => {
  const { service, portal, portalId, invite } = await openInvitation();
  const read = async () => (await callLive(portal, '/settings/auto-user-provisioning')).json;
  expect(await read()).toMatchObject({ is_enabled: false });
  service.setAutoProvisioning(portalId, true);
  expect(await read()).toMatchObject({ is_enabled: true });
  expect((await invite()).status).toBe(400);
  expect((await invite({ access_control_configuration: null })).status).toBe(200);
});

it('invites the user even if the response is lost', async () => {
  const { service, portalId, invite } = await openInvitation();
  service.setFault(
    { kind: 'status', status: 503, afterActing: true },
    { method: 'POST', times: 1 },
  );
  expect((await invite()).status).toBe(503);
  expect(service.users(portalId).at(-1)).toMatchObject(person);
  expect((await invite()).status).toBe(409);
});
