import { expect, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { checkLastAdministrator } from '../../../src/features/users/check-last-administrator.ts';
import { answerJson, openClient, serve } from '../../dataprotection/local-server.ts';

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

test('is not checkable when a role has no name', async () => {
  expect(await checkFirst({ '/users/1': user('1', { role_id: 'r1' }) })).toMatchObject({
    result: 'not_checkable',
    words: 'whether this is the last enabled administrator',
    detail: 'the service does not tell what all of their roles are called',
  });
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
