import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import { ForeignLinkError } from '../../../src/dataprotection/http/errors.ts';
import { idSchema, lenientObject } from '../../../src/dataprotection/lenient-object.ts';
import { listPages } from '../../../src/dataprotection/paging/list-pages.ts';
import { listPolicies } from '../../../src/dataprotection/resources/policies.ts';
import { readTask } from '../../../src/dataprotection/resources/tasks.ts';
import { listUsers } from '../../../src/dataprotection/resources/users.ts';
import { serve } from '../../support/serve.ts';
import { answerJson, collect, errorOf, openClient } from '../local-server.ts';

const itemSchema = lenientObject({ id: idSchema });

describe.each(dialects)('links, %s dialect', (dialect) => {
  it.each([
    'https://elsewhere.example/users?start=2',
    '//elsewhere.example/users',
    '/users/../policies/definitions',
    '/users/%2e%2e/policies/definitions',
    '/\\elsewhere.example/users',
  ])('to %s are not followed', async (href) => {
    let requests = 0;
    const baseUrl = await serve((_request, response) => {
      requests += 1;
      const _links = { _next: { href, type: 'get', templated: false } };
      answerJson(response, { start: '1', _links, _embedded: { items: [{ id: '1' }] } });
    });
    const client = openClient(baseUrl, 'a.b.c', undefined, dialect);
    expect(await errorOf(collect(listUsers(client)))).toBeInstanceOf(ForeignLinkError);
    expect(requests).toBe(1);
  });

  it('of a redirect are not followed', async () => {
    const seen: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const client = openClient(baseUrl, 'a.b.c', undefined, dialect);
    expect(await errorOf(collect(listPolicies(client)))).toMatchObject({ status: 307 });
    expect(seen).toEqual(['/policies/definitions']);
  });

  it.each([
    ['leads in a circle', (page: number) => page % 3],
    ['never ends', (page: number) => page],
  ])('of a list that %s cause an error', async (_name, place) => {
    let requests = 0;
    const baseUrl = await serve((_request, response) => {
      const at = place(requests);
      requests += 1;
      const href = `/users?start=${place(requests)}`;
      const _links = { _next: { href, type: 'get', templated: false } };
      const items = [{ id: `${at}a` }, { id: `${at}b` }];
      answerJson(response, { start: String(at), _links, _embedded: { items } });
    });
    const client = openClient(baseUrl, 'a.b.c', undefined, dialect);
    const list = { target: ['users'], itemSchema, maxPages: 8 };
    expect(await errorOf(collect(listPages(client, list)))).toMatchObject({
      message: expect.stringMatching(/came twice|does not end/),
    });
    expect(requests).toBeLessThanOrEqual(9);
  });
});

it('of discovery are not followed to another origin', async () => {
  const seen: (string | undefined)[] = [];
  const baseUrl = await serve((request, response) => {
    seen.push(request.url);
    const link = { href: 'https://elsewhere.example/tasks/{id}', type: 'get', templated: true };
    answerJson(response, { tasks: { supported_versions: ['v1'], v1: { 'read-task': link } } });
  });
  const client = openClient(baseUrl, 'a.b.c', undefined, 'live');
  expect(await errorOf(readTask(client, '1'))).toBeInstanceOf(ForeignLinkError);
  expect(seen).toEqual(['/']);
});
