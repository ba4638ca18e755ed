import { expect, it, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { readAccess } from '../../../src/features/users/preview-user.ts';
import { answerJson, openClient } from '../../dataprotection/local-server.ts';
import { serve } from '../../support/serve.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld({ dialect: 'live' });

test('the card of a user shows roles and units', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users ana.silva@example.com');
  const card = await ana.seeMessage("Each change needs a second person's approval.");
  expect(JSON.stringify(card.blocks)).toMatch(/\*Roles\*\\n[^"]+ in Global/);
});

const access = [{ role_id: 'r1', organizational_unit_ids: ['o1', 'o2'] }, { role_id: 'r2' }];

async function accessOf(user: object, lists: Record<string, object>) {
  const baseUrl = await serve((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path.startsWith('/users/')) return answerJson(response, { id: '1', ...user });
    const items = lists[path];
    if (items) return answerJson(response, { _embedded: { items } });
    response.writeHead(404).end();
  });
  const client = openClient(baseUrl, 'a.b.c', undefined, 'live');
  return readAccess(client, await readUser(client, '1'));
}

it('names roles and units', async () => {
  const named = await accessOf(
    { access_control_configuration: access, _embedded: { 'read-role': [{ id: 'r2', name: 'B' }] } },
    {
      '/roles': [{ id: 'r1', name: 'A' }],
      '/organizational-units': [{ id: 'o1', name: 'Finance' }, { id: 'o2' }],
    },
  );
  expect(named).toEqual([
    { role: 'A', units: ['Finance', 'o2'] },
    { role: 'B', units: [] },
  ]);
});

it('uses ids where the service gives no names', async () => {
  expect(await accessOf({ access_control_configuration: access }, {})).toEqual([
    { role: 'r1', units: ['o1', 'o2'] },
    { role: 'r2', units: [] },
  ]);
});

it('reads the single role of version 1', async () => {
  const older = {
    assigned_role: 'r1',
    assigned_organizational_unit_ids: ['o1'],
    _embedded: { name: 'Operator', description: '' },
  };
  expect(await accessOf(older, {})).toEqual([{ role: 'Operator', units: ['o1'] }]);
});

it('is unknown where users have no roles', async () => {
  expect(await accessOf({}, {})).toBeUndefined();
});
