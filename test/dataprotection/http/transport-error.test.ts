import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createServiceClient } from '../../../src/dataprotection/client.ts';
import {
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnexpectedResponseError,
} from '../../../src/dataprotection/http/errors.ts';
import { deleteUser, readUser, updateUser } from '../../../src/dataprotection/resources/users.ts';
import { serve } from '../../support/serve.ts';
import {
  answerJson,
  clientOf,
  errorOf,
  openClient,
  openTransport,
  requestsPerSecond,
} from '../local-server.ts';
import { openReference } from '../reference-service.ts';

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

it('has mayHaveActed false without a connection', async () => {
  const client = openClient(`http://127.0.0.1:${await closedPort()}`);
  const error = await errorOf(deleteUser(client, '36'));
  expect(error).toBeInstanceOf(ServiceUnreachableError);
  expect(error).toMatchObject({ code: 'ECONNREFUSED', mayHaveActed: false });
});

it('has mayHaveActed false if the TLS handshake fails', async () => {
  const baseUrl = await serve((_request, response) => answerJson(response, {}));
  const client = openClient(baseUrl.replace('http:', 'https:'));
  const error = await errorOf(deleteUser(client, '36'));
  expect(error).toBeInstanceOf(ServiceUnreachableError);
  expect(error).toMatchObject({ mayHaveActed: false });
});

it('has mayHaveActed true if the connection breaks after sending', async () => {
  const { service, portal, client } = await openReference();
  const id = service.users(portal.id)[0]?.id ?? '';
  service.setFault({ kind: 'reset', afterActing: true });
  const error = await errorOf(updateUser(client, id, { isEnabled: false }));
  expect(error).toBeInstanceOf(ServiceUnreachableError);
  expect(error).toMatchObject({ mayHaveActed: true });
  expect(service.requests).toHaveLength(1);
});

it('rejects a truncated response', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"id":"36"', () => response.socket?.destroy());
  });
  const error = await errorOf(readUser(client, '36'));
  expect(error).toBeInstanceOf(ServiceUnreachableError);
});

it.each([
  ['headers', (response: { writeHead: (status: number) => unknown }) => response],
  [
    'body',
    (response: { writeHead: (status: number) => { write: (text: string) => unknown } }) =>
      response.writeHead(200).write('{'),
  ],
])('times out waiting for the %s', async (_name, begin) => {
  const baseUrl = await serve((_request, response) => void begin(response));
  const transport = openTransport({ headersMs: 50, bodyMs: 50 });
  const client = createServiceClient(
    { baseUrl, dialect: 'documented', token: 'a.b.c', requestsPerSecond },
    transport,
  );
  const error = await errorOf(deleteUser(client, '36'));
  expect(error).toBeInstanceOf(ServiceTimeoutError);
  expect(error).toMatchObject({ mayHaveActed: true });
});

it("throws ServiceTimeoutError when the caller's timeout passes", async () => {
  const { service, client } = await openReference();
  service.setFault({ kind: 'hang' });
  const error = await errorOf(readUser(client, '1', { signal: AbortSignal.timeout(30) }));
  expect(error).toBeInstanceOf(ServiceTimeoutError);
  expect(error).toMatchObject({ mayHaveActed: false, request: 'GET /users/{id}' });
});

it("throws the reason of the caller's signal immediately, also while queued", async () => {
  const { service, client } = await openReference();
  service.setFault({ kind: 'hang' });
  const leaving = new AbortController();
  const reason = new Error('Belay is stopping');
  // More requests than connections, so that some are never sent.
  const calls = Array.from({ length: 9 }, () =>
    errorOf(deleteUser(client, '1', { signal: leaving.signal })),
  );
  while (service.requests.length < 6) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort(reason);
  expect(await Promise.all(calls)).toEqual(Array(9).fill(reason));
  expect(service.requests).toHaveLength(6);
});

it('sends nothing for a signal that is already aborted', async () => {
  const { service, client } = await openReference();
  const error = await errorOf(deleteUser(client, '1', { signal: AbortSignal.abort('gone') }));
  expect(error).toBe('gone');
  expect(service.requests).toEqual([]);
});

it.each([
  ['HTML', '<!doctype html><h1>Sign in</h1>'],
  ['broken JSON', '{"id":'],
  ['nothing', ''],
  ['blanks', ' \n'],
  ['a list', '[]'],
  ['null', 'null'],
  ['no id', '{"full_name":"Ana"}'],
  ['an id too large to be exact', '{"id":12345678901234567890}'],
])('throws UnexpectedResponseError for %s', async (_name, body) => {
  const client = await clientOf((_request, response) => response.end(body));
  const error = await errorOf(updateUser(client, '36', { isEnabled: true }));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toMatchObject({ status: 200, mayHaveActed: true });
});

it('stops reading a response that is too large', async () => {
  const client = await clientOf((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  expect(await errorOf(readUser(client, '36'))).toBeInstanceOf(UnexpectedResponseError);
});

it('throws UnexpectedResponseError if the response is not HTTP', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const error = await errorOf(readUser(openClient(`http://127.0.0.1:${port}`), '36'));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  server.close();
});

it('throws ServiceUnreachableError after its connections are closed', async () => {
  const transport = openTransport();
  await transport.dispatcher.close();
  const client = createServiceClient(
    { baseUrl: 'http://127.0.0.1:9', dialect: 'documented', token: 'a', requestsPerSecond },
    transport,
  );
  expect(await errorOf(readUser(client, '36'))).toBeInstanceOf(ServiceUnreachableError);
});
