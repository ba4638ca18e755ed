import { expect, it, test } from 'vitest';
import { readUser, type User } from '../../../src/dataprotection/resources/users.ts';
import { checkProtectedUser } from '../../../src/features/users/check-protected-user.ts';
import type { ProtectedUsers } from '../../../src/workspace/rules.ts';
import { answerJson, openClient } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { serve } from '../../support/serve.ts';
import { userWith } from './sample-users.ts';

const nobody: ProtectedUsers = { addresses: [], domains: [], roles: [] };

/** With a service that lists one role, or fails. */
async function check(user: User, users: Partial<ProtectedUsers>, { isFailing = false } = {}) {
  const baseUrl = await serve(({ url = '' }, response) => {
    const isThere = url.split('?')[0] === '/roles' && !isFailing;
    answerJson(
      response,
      { _embedded: { items: [{ id: 'r1', name: 'Owner' }] } },
      isThere ? 200 : 404,
    );
  });
  const client = openClient(baseUrl, 'a.b.c', undefined, 'live');
  return checkProtectedUser(client, user, { ...nobody, ...users });
}

it('checks nothing in a workspace without protected users', async () => {
  expect(await check(userWith({ email: undefined, roles: undefined }), {})).toBeUndefined();
});

test.each<[string, Partial<ProtectedUsers>]>([
  ['ana@example.com', { addresses: ['ANA@Example.com '] }],
  ['ana+backup@example.com', { addresses: ['ana@example.com'] }],
  ['a.na@gmail.com', { addresses: ['ana@googlemail.com'] }],
  ['ana@example.com', { domains: ['Example.COM'] }],
  ['ana@example.com', { domains: ['@example.com'] }],
  ['ana@mail.example.com', { domains: ['example.com'] }],
  ['ana@bücher.example', { domains: ['xn--bcher-kva.example'] }],
])('protects %s by %j', async (email, users) => {
  const found = await check(userWith({ email }), users);
  expect(found).toMatchObject({ label: 'protected_user', result: 'refused' });
  expect(found?.detail).toContain('Protected user: ');
});

test.each<[string, Partial<ProtectedUsers>]>([
  ['ana@example.com', { addresses: ['ben@example.com'] }],
  ['ana@notexample.com', { domains: ['example.com'] }],
  ['ana@example.com', { domains: ['mail.example.com'] }],
])('does not protect %s by %j', async (email, users) => {
  expect(await check(userWith({ email }), users)).toMatchObject({ result: 'passed' });
});

it('refuses a user without an address where addresses are protected', async () => {
  const found = await check(userWith({ email: undefined }), { domains: ['example.com'] });
  expect(found?.result).toBe('refused');
  expect(found?.detail).toContain('The service shows no email address for this user');
});

const role = (roleId: string, roleName?: string) => ({
  roleId,
  organizationalUnitIds: [],
  ...(roleName && { roleName }),
});

test.each<[string, User['roles'], 'refused' | 'passed', string]>([
  ['by its id', [role('r1')], 'refused', 'Protected user: the role *Owner*'],
  [
    'by its name with the user',
    [role('r9', 'OWNER')],
    'refused',
    'Protected user: the role *OWNER*',
  ],
  ['another role', [role('r2', 'Reader')], 'passed', ''],
  ['no role', [], 'passed', ''],
  ['a role without a name', [role('r2')], 'refused', "couldn't read the name of the role"],
  ['roles that the service does not show', undefined, 'refused', "The service doesn't show roles"],
])('recognizes a protected role: %s', async (_, roles, result, text) => {
  const found = await check(userWith({ roles }), { roles: ['owner '] });
  expect(found?.result).toBe(result);
  expect(found?.detail ?? '').toContain(text);
});

it('refuses while the names of roles can not be read, unless the id is enough', async () => {
  const users = { roles: ['Owner'] };
  const failing = { isFailing: true };
  expect(await check(userWith({ roles: [role('r1')] }), users, failing)).toMatchObject({
    result: 'refused',
    detail: expect.stringContaining("couldn't read the name"),
  });
  expect(await check(userWith({ roles: [role('owner')] }), users, failing)).toMatchObject({
    detail: expect.stringContaining('Protected user'),
  });
});

it('recognizes roles of the live service by name', async () => {
  const { client } = await openReference({ dialect: 'live' });
  const user = await readUser(client, '1');
  const protectedUsers = { ...nobody, roles: ['super admin'] };
  const found = await checkProtectedUser(client, user, protectedUsers);
  expect(found?.detail).toContain('Protected user: the role *Super Admin* is protected.');
});
