import { expect, it } from 'vitest';
import { NotFoundError } from '../../../src/dataprotection/http/errors.ts';
import {
  deleteUser,
  listUsers,
  readUser,
  updateUser,
} from '../../../src/dataprotection/resources/users.ts';
import { answerJson, clientOf, collect, errorOf } from '../local-server.ts';
import { openReference } from '../reference-service.ts';

it('parses a user with the field names of the contract', async () => {
  const { service, portal, client } = await openReference();
  const wire = service.users(portal.id).find((user) => user.last_activity_timestamp);
  expect(await readUser(client, wire?.id ?? '')).toEqual({
    id: wire?.id,
    fullName: wire?.full_name,
    email: wire?.email,
    isConfirmed: wire?.is_confirmed,
    isEnabled: wire?.is_enabled,
    lastActivityTimestamp: wire?.last_activity_timestamp,
    inviter: wire?.inviter,
    otherFields: {},
  });
});

it.each(['all', 'named'] as const)('lists all users once with %s links', async (links) => {
  const { service, portal, client } = await openReference({ links });
  const users = await collect(listUsers(client));
  const everyone = service.users(portal.id).map(({ id }) => id);
  const listed = users.map(({ id }) => id);
  expect(listed).toHaveLength(240);
  expect(listed.toSorted()).toEqual(everyone.toSorted());
});

it('patches only the given fields', async () => {
  const { service, portal, client } = await openReference();
  const before = service.users(portal.id).find((user) => user.is_enabled);
  const id = before?.id ?? '';

  const disabled = await updateUser(client, id, { isEnabled: false });
  expect(disabled).toMatchObject({ id, isEnabled: false, fullName: before?.full_name });
  const renamed = await updateUser(client, id, { fullName: 'Zoë "Z" O’Hara' });
  expect(renamed).toMatchObject({ id, isEnabled: false, fullName: 'Zoë "Z" O’Hara' });

  expect(
    service.requests.map(({ method, path, body }) => [method, path, JSON.parse(body)]),
  ).toEqual([
    ['PATCH', `/users/${id}`, { is_enabled: false }],
    ['PATCH', `/users/${id}`, { full_name: 'Zoë "Z" O’Hara' }],
  ]);
});

it('deletes a user, and throws NotFoundError the second time', async () => {
  const { service, portal, client } = await openReference();
  const id = service.users(portal.id)[0]?.id ?? '';
  expect(await deleteUser(client, id)).toBeUndefined();
  expect(service.user(portal.id, id)).toBeUndefined();
  expect(service.requests[0]).toMatchObject({ method: 'DELETE', path: `/users/${id}`, body: '' });
  expect(await errorOf(deleteUser(client, id))).toBeInstanceOf(NotFoundError);
});

it.each([
  [200, ''],
  [204, ''],
  [200, '{}'],
  [202, '{"task_id":"1"}'],
])('accepts %i %j as a deletion', async (status, body) => {
  const client = await clientOf((_request, response) => {
    response.writeHead(status).end(status === 204 ? undefined : body);
  });
  expect(await deleteUser(client, '1')).toBeUndefined();
});

it("preserves unknown fields and fields that it can't parse", async () => {
  const client = await clientOf((_request, response) =>
    answerJson(response, {
      id: 36,
      full_name: 7,
      email: null,
      is_enabled: 'yes',
      inviter: 1,
      role: { name: 'admin' },
      nickname: null,
      _links: {},
      _embedded: {},
    }),
  );
  const user = await readUser(client, '36');
  expect(user).toMatchObject({ id: '36', inviter: '1', otherFields: expect.anything() });
  expect(user.fullName).toBeUndefined();
  expect(user.otherFields).toEqual({
    full_name: 7,
    is_enabled: 'yes',
    role: { name: 'admin' },
    nickname: null,
  });
});
