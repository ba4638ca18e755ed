import { expect, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { checkLastAdministrator } from '../../../src/features/users/check-last-administrator.ts';
import { answerJson, openClient } from '../../dataprotection/local-server.ts';
import { serve } from '../../support/serve.ts';

type Answers = Record<string, object>;

/** Checks user 1 with a service that sends `answers` by path, and 404 for all other paths. */
async function checkFirst(answers: Answers) {
  const baseUrl = await serve((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? ''];
    answerJson(response, answer ?? {}, answer ? 200 : 404);
  });
  const client = openClient(baseUrl, 'a.b.c', undefined, 'live');
  return checkLastAdministrator(await readUser(client, '1'), { client, subjectsUnderWay: [] });
}

const list = (...items: object[]) => ({ _embedded: { items } });
const user = (id: string, role: object) => ({
  id,
  is_enabled: true,
  access_control_configuration: [role],
});

/** Two users with the same role of this name, and a third whose role is a known one. */
const sameRole = (name: string | undefined, third?: string): Answers => {
  const users = [user('1', { role_id: 'r1' }), user('2', { role_id: 'r1' })];
  if (third) users.push(user('3', { role_id: 'r3' }));
  return {
    '/roles': list({ id: 'r1', name }, { id: 'r3', name: third }),
    '/users': list(...users),
    ...Object.fromEntries(users.map((one) => [`/users/${one.id}`, one])),
  };
};

test.each(['Owner', 'Propriétaire', 'IT Admins', 'Not a Super Admin', undefined])(
  'an unknown role %s counts as that of an administrator, and proves nothing for others',
  async (name) => {
    const check = await checkFirst(sameRole(name));
    expect(check).toMatchObject({ result: 'refused' });
    expect(check.detail).toContain(`Belay doesn't know the role *${name ?? 'id r1'}*`);
  },
);

test('a known super administrator is enough for an unknown role, and the check says so', async () => {
  expect(await checkFirst(sameRole('Owner', 'Super Admin'))).toMatchObject({
    result: 'passed',
    words: 'another administrator remains',
    detail: 'assuming that *Owner* can manage users',
  });
  expect(await checkFirst(sameRole('Owner', 'Unit Admin'))).toMatchObject({ result: 'refused' });
});

test('a role of unknown name is refused where the service lists no roles', async () => {
  const { '/roles': _, ...answers } = sameRole(undefined);
  expect(await checkFirst(answers)).toMatchObject({ result: 'refused' });
});

test('somebody else with an unknown role does not replace a super administrator', async () => {
  const answers = sameRole('Super Admin');
  const other = user('2', { role_id: 'r9' });
  const changed = { ...answers, '/users': list(other), '/users/2': other };
  expect(await checkFirst(changed)).toMatchObject({ result: 'refused' });
});

test('passes for a user without roles', async () => {
  const nobody = { ...user('1', {}), access_control_configuration: [] };
  expect(await checkFirst({ '/users/1': nobody })).toMatchObject({ result: 'passed' });
});

test('reads each candidate, because lists omit units', async () => {
  const admin = { role_id: 'r1', organizational_unit_ids: ['u1'] };
  const answers: Answers = {
    '/roles': list({ id: 'r1', name: 'Unit Admin' }),
    '/users': list(user('1', { role_id: 'r1' }), user('2', { role_id: 'r1' })),
    '/users/1': user('1', admin),
    '/users/2': user('2', { ...admin, organizational_unit_ids: ['u2'] }),
  };
  expect(await checkFirst(answers)).toMatchObject({ result: 'refused' });
  expect(await checkFirst({ ...answers, '/users/2': user('2', admin) })).toMatchObject({
    result: 'passed',
  });
});

test('a user who was deleted after the list was read is no substitute', async () => {
  const admin = { role_id: 'r1', organizational_unit_ids: [] };
  const answers: Answers = {
    '/roles': list({ id: 'r1', name: 'Administrator' }),
    '/users': list(user('1', admin), user('2', admin)),
    '/users/1': user('1', admin),
  };
  expect(await checkFirst(answers)).toMatchObject({ result: 'refused' });
});
