import { expect, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { previewUser } from '../../../src/features/users/preview-user.ts';
import { snapshotOf } from '../../../src/features/users/stored-user.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

test('shows what the service returns, roles with the names of their units', async () => {
  const { client, service, portal } = await openReference({ dialect: 'live' });
  const [, finance] = portal.organizationalUnits;
  const [superAdmin] = service.user(portal.id, '1')?.access ?? [];
  const roles = [{ roleId: superAdmin?.roleId ?? '', unitIds: [finance?.id ?? ''] }];
  service.changeUser(portal.id, '8', { access: roles, is_confirmed: false });
  const user = await readUser(client, '8');
  expect(snapshotOf(user)).toEqual({
    id: '8',
    email: 'ana.silva@example.com',
    fullName: 'Ana Silva',
    isEnabled: true,
    isConfirmed: false,
    roles,
  });
  expect(await previewUser(client, user)).toEqual([
    { label: 'State', value: 'enabled' },
    { label: 'Invitation', value: 'not accepted' },
    { label: 'Roles', value: 'Super Admin in Finance' },
    { label: 'Last activity', value: expect.stringMatching(/^(<!date\^|never)/) },
  ]);
});

test('leaves out what the service does not return', async () => {
  const { client } = await openReference({ dialect: 'documented' });
  const user = await readUser(client, '8');
  const preview = await previewUser(client, user);
  expect(preview.map(({ label }) => label)).toEqual(['State', 'Last activity']);
  expect(snapshotOf(user).roles).toBeNull();
});

test('escapes and truncates the names of roles', async () => {
  const roles = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, name: '<!channel>' }));
  const client = await clientOf((_request, response) =>
    answerJson(response, {
      id: '8',
      access_control_configuration: roles.map(({ id }) => ({ role_id: id })),
      _embedded: { 'read-role': roles },
    }),
  );
  const value = (await previewUser(client, await readUser(client, '8')))[1]?.value ?? '';
  expect(value).toContain('&lt;!channel&gt;; &lt;!channel&gt;');
  expect(value).not.toContain('<!');
  expect(value.length).toBeLessThanOrEqual(600);
});
