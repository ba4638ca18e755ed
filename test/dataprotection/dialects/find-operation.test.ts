import { expect, it } from 'vitest';
import { expandTemplate } from '../../../src/dataprotection/dialects/find-operation.ts';
import { OperationUnavailableError, ServerError } from '../../../src/dataprotection/http/errors.ts';
import { readTask } from '../../../src/dataprotection/resources/tasks.ts';
import { serve } from '../../support/serve.ts';
import { answerJson, errorOf, openClient } from '../local-server.ts';

/**
 * A live service with this response to `GET /` and a task for any other request; records requests.
 */
async function openDiscoverable(discovery: unknown, status = 200) {
  const paths: (string | undefined)[] = [];
  const baseUrl = await serve((request, response) => {
    paths.push(request.url);
    if (request.url === '/') return answerJson(response, discovery, status);
    answerJson(response, { id: '7', status: 'queued' });
  });
  return { paths, client: openClient(baseUrl, 'a.b.c', undefined, 'live') };
}

const at = (href: string, type = 'get') => ({ href, type, templated: href.includes('{') });

it.each([
  ['as it usually is', { tasks: { v1: { 'read-task': at('/tasks/{task_id}') } } }, '/tasks/7'],
  ['where it has moved', { tasks: { v1: { 'read-task': at('/work/{id}{?embed}') } } }, '/work/7'],
  [
    'in its newest version',
    { tasks: { v10: { 'read-task': at('/ten/{id}') }, v9: { 'read-task': at('/nine/{id}') } } },
    '/ten/7',
  ],
  ['by another id', { jobs: { v1: { 'get-task': at('/tasks/{id}{?embed}') } } }, '/tasks/7'],
  ['unlisted by an empty discovery', {}, '/tasks/7'],
  ['unlisted by one of another shape', ['tasks'], '/tasks/7'],
])('finds an operation %s', async (_name, discovery, path) => {
  const { client, paths } = await openDiscoverable(discovery);
  expect(await readTask(client, '7')).toMatchObject({ id: '7', status: 'queued' });
  await readTask(client, '7');
  expect(paths).toEqual(['/', path, path]);
});

it.each([
  { tasks: { v1: { 'update-task': at('/tasks/{task_id}', 'patch') } } },
  { tasks: { supported_versions: ['v1'], v1: null }, users: 5 },
])('finds no operation in %j', async (discovery) => {
  const { client, paths } = await openDiscoverable(discovery);
  expect(await errorOf(readTask(client, '7'))).toBeInstanceOf(OperationUnavailableError);
  expect(paths).toEqual(['/']);
});

it.each([404, 405, 403, 400])(
  'falls back to the default path if discovery responds %i',
  async (status) => {
    const { client } = await openDiscoverable({}, status);
    expect(await readTask(client, '7')).toMatchObject({ id: '7' });
  },
);

it('does not cache a failed discovery', async () => {
  let isFailing = true;
  const baseUrl = await serve((request, response) => {
    if (request.url !== '/') return answerJson(response, { id: '7' });
    response.writeHead(isFailing ? 501 : 404).end();
  });
  const client = openClient(baseUrl, 'a.b.c', undefined, 'live');
  expect(await errorOf(readTask(client, '7'))).toBeInstanceOf(ServerError);
  isFailing = false;
  expect(await readTask(client, '7')).toMatchObject({ id: '7' });
});

it.each([
  ['/a/{b}', ['c/d e'], '/a/c%2Fd%20e'],
  ['/a/{b}/{c}{?limit,start}', ['1', '2'], '/a/1/2'],
  ['/a', ['1'], '/a'],
  ['/a/{b}', [], '/a/'],
])('expands %s with %j', (href, ids, expanded) => {
  expect(expandTemplate(href, ids)).toBe(expanded);
});
