import { expect, test } from 'vitest';
import { lookAtUser } from '../../../src/features/users/preview-user.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

test('shows what the service tells, roles with the names of their units', async () => {
  const { client, service, portal } = await openReference({ dialect: 'live' });
  const [, finance] = portal.organizationalUnits;
  const [superAdmin] = service.user(portal.id, '1')?.access ?? [];
  const roles = [{ roleId: superAdmin?.roleId ?? '', unitIds: [finance?.id ?? ''] }];
  service.changeUser(portal.id, '8', { access: roles, is_confirmed: false });
  const look = await lookAtUser(client, { id: '8' });
  expect(look?.snapshot).toEqual({
    id: '8',
    email: 'ana.silva@example.com',
    fullName: 'Ana Silva',
    isEnabled: true,
    isConfirmed: false,
    roles,
  });
  expect(look?.preview).toEqual([
    { label: 'State', value: 'enabled' },
    { label: 'Confirmed', value: 'no, the invitation was never accepted' },
    { label: 'Roles', value: 'Super Admin in Finance' },
    { label: 'Last activity', value: expect.stringMatching(/^(<!date\^|–)/) },
  ]);
});

test('leaves out what the service has not', async () => {
  const { client } = await openReference({ dialect: 'documented' });
  const look = await lookAtUser(client, { id: '8' });
  expect(look?.preview.map(({ label }) => label)).toEqual(['State', 'Last activity']);
  expect(look?.snapshot.roles).toBeNull();
});

test('nobody is there to look at', async () => {
  const { client } = await openReference();
  expect(await lookAtUser(client, { id: '9999' })).toBeUndefined();
});

test('names of roles are text, and not without end', async () => {
  const roles = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, name: '<!channel>' }));
  const client = await clientOf((_request, response) =>
    answerJson(response, {
      id: '8',
      access_control_configuration: roles.map(({ id }) => ({ role_id: id })),
      _embedded: { 'read-role': roles },
    }),
  );
  const value = (await lookAtUser(client, { id: '8' }))?.preview[1]?.value ?? '';
  expect(value).toContain('&lt;!channel&gt;; &lt;!channel&gt;');
  expect(value).not.toContain('<!');
  expect(value.length).toBeLessThanOrEqual(600);
});
