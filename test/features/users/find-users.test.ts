import { expect, test } from 'vitest';
import { resolveUser } from '../../../src/features/users/find-users.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';

const ana = { id: '8', full_name: 'Ana Silva', email: 'ana@example.com' };
const everybody = { _embedded: { items: [ana] }, _links: {} };
const nobody = { _embedded: { items: [] }, _links: {} };

test('searches by name if the service rejects the id', async () => {
  const client = await clientOf(({ url }, response) => {
    if (url?.startsWith('/users/')) answerJson(response, { code: 'invalid_id' }, 400);
    else answerJson(response, everybody);
  });
  expect((await resolveUser(client, 'silva')).users).toMatchObject([{ id: '8' }]);
});

test('ignores a response with a different id', async () => {
  const client = await clientOf(({ url }, response) =>
    answerJson(response, url?.startsWith('/users/') ? ana : nobody),
  );
  expect((await resolveUser(client, '08')).users).toEqual([]);
});
