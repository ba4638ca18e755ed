import { expect, it } from 'vitest';
import { createServiceClient } from '../../src/dataprotection/client.ts';
import {
  CredentialsRefusedError,
  ForbiddenError,
  NotFoundError,
} from '../../src/dataprotection/http/errors.ts';
import { readUser, updateUser } from '../../src/dataprotection/resources/users.ts';
import { serve } from '../support/serve.ts';
import {
  answerJson,
  errorOf,
  openClient,
  openTransport,
  requestsPerSecond,
} from './local-server.ts';
import { openReference } from './reference-service.ts';

it('sends token, version and unit with every request', async () => {
  const { service, portal } = await openReference();
  const unit = portal.organizationalUnits[1]?.id;
  const [user] = service.users(portal.id);
  const client = openClient(portal.baseUrl, portal.token, unit);
  await errorOf(readUser(client, `${user?.id}-unknown`));

  const headers = service.requests[0]?.headers;
  expect(headers?.authorization).toBe(`Bearer ${portal.token}`);
  expect(headers?.accept).toBe('application/api.service.*=v1+json');
  expect(headers?.['x-service-organizationalunit-context']).toBe(unit);
  expect(headers).not.toHaveProperty('content-type');
});

it('sends no unit header without a unit, and a content type with a body', async () => {
  const { service, portal, client } = await openReference();
  const user = service.users(portal.id)[0];
  await updateUser(client, user?.id ?? '', { isEnabled: false });

  const headers = service.requests[0]?.headers;
  expect(headers).not.toHaveProperty('x-service-organizationalunit-context');
  expect(headers?.['content-type']).toBe('application/json');
});

it.each([
  ['a/b', '/users/a%2Fb'],
  ['../policies', '/users/..%2Fpolicies'],
  ['%2e%2e', '/users/%252e%252e'],
  ['a?b#c', '/users/a%3Fb%23c'],
  ['…', '/users/%E2%80%A6'],
  ['a\r\nb', '/users/a%0D%0Ab'],
  ['...', '/users/...'],
])('encodes the id %j as one path segment', async (id, path) => {
  const { service, client } = await openReference();
  expect(await errorOf(readUser(client, id))).toBeInstanceOf(NotFoundError);
  expect(service.requests.map((request) => request.path)).toEqual([path]);
});

it.each(['', '.', '..', '\ud800'])(
  'throws NotFoundError for the id %j without a request',
  async (id) => {
    const { service, client } = await openReference();
    expect(await errorOf(readUser(client, id))).toBeInstanceOf(NotFoundError);
    expect(service.requests).toEqual([]);
  },
);

it.each(['', 'a b', 'tok\nen', 'tök', '\ud800'])(
  'rejects the token %j without a request',
  async (token) => {
    const { service, portal } = await openReference();
    const error = await errorOf(readUser(openClient(portal.baseUrl, token), '1'));
    expect(error).toBeInstanceOf(CredentialsRefusedError);
    expect(service.requests).toEqual([]);
  },
);

it.each(['', 'unit\r\nx: y'])('rejects the unit %j without a request', async (unit) => {
  const { service, portal } = await openReference();
  const error = await errorOf(readUser(openClient(portal.baseUrl, portal.token, unit), '1'));
  expect(error).toBeInstanceOf(ForbiddenError);
  expect(service.requests).toEqual([]);
});

it('preserves the path of a base URL, with or without a trailing slash', async () => {
  const paths: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    paths.push(request.url);
    answerJson(response, { id: '1' });
  });
  await readUser(openClient(`${origin}/api`), '1');
  await readUser(openClient(`${origin}/api/`), '1');
  await readUser(openClient(`${origin}/`), '1');
  expect(paths).toEqual(['/api/users/1', '/api/users/1', '/users/1']);
});

it('opens at most 24 connections to a service', async () => {
  const sockets = new Set<unknown>();
  const baseUrl = await serve((request, response) => {
    sockets.add(request.socket);
    answerJson(response, { id: '1' });
  });
  const transport = openTransport();
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const token = `a.b.${index}`;
      const connection = { baseUrl, dialect: 'documented', token, requestsPerSecond } as const;
      return readUser(createServiceClient(connection, transport), '1');
    }),
  );
  expect(sockets.size).toBeLessThanOrEqual(24);
});

it("gets answers while another organization's requests hang at the same service", async () => {
  const hung = Promise.withResolvers<void>();
  let hanging = 0;
  const baseUrl = await serve((request, response) => {
    if (request.headers.authorization === 'Bearer a.b.other') {
      answerJson(response, { id: '1' });
      return;
    }
    hanging += 1;
    if (hanging === 6) hung.resolve();
  });
  const transport = openTransport();
  const clientWith = (token: string) => {
    const connection = { baseUrl, dialect: 'documented', token, requestsPerSecond } as const;
    return createServiceClient(connection, transport, { timeoutMs: 5000 });
  };
  const slow = clientWith('a.b.slow');
  const ended = new AbortController();
  const { signal } = ended;
  const all = Promise.allSettled(Array.from({ length: 12 }, () => readUser(slow, '1', { signal })));
  await hung.promise;
  expect(await readUser(clientWith('a.b.other'), '1')).toMatchObject({ id: '1' });
  ended.abort();
  await all;
  // The others of the same organization were not sent.
  expect(hanging).toBe(6);
});
