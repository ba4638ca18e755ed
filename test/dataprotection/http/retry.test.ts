import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { type ClientOptions, createServiceClient } from '../../../src/dataprotection/client.ts';
import {
  RateLimitedError,
  ServerError,
  ServiceTimeoutError,
} from '../../../src/dataprotection/http/errors.ts';
import { deleteUser, readUser } from '../../../src/dataprotection/resources/users.ts';
import { serve } from '../../support/serve.ts';
import {
  answerJson,
  errorOf,
  fastRetries,
  openTransport,
  requestsPerSecond,
} from '../local-server.ts';

/** A client of a service that uses each listener for one request, and the last for all others. */
async function clientOf(listeners: RequestListener[], options: ClientOptions = {}) {
  let requests = 0;
  const baseUrl = await serve((request, response) => {
    const listener = listeners[Math.min(requests, listeners.length - 1)];
    requests += 1;
    listener?.(request, response);
  });
  const connection = { baseUrl, dialect: 'documented', token: 'a.b.c', requestsPerSecond } as const;
  const client = createServiceClient(connection, openTransport(), { ...fastRetries, ...options });
  return { client, requests: () => requests };
}

const status =
  (status: number, headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end();
const user: RequestListener = (_request, response) => answerJson(response, { id: '1' });
const resets: RequestListener = (request) => request.socket.resetAndDestroy();
const hangs: RequestListener = () => {};

it('retries a read after a transient failure', async () => {
  const { client, requests } = await clientOf([status(503), resets, status(429), user]);
  expect(await readUser(client, '1')).toMatchObject({ id: '1' });
  expect(requests()).toBe(4);
});

it('throws the last failure after the last attempt', async () => {
  const { client, requests } = await clientOf([resets, status(502)]);
  expect(await errorOf(readUser(client, '1'))).toMatchObject({ status: 502 });
  expect(requests()).toBe(4);
});

it('does not retry a permanent failure', async () => {
  const { client, requests } = await clientOf([status(500)]);
  expect(await errorOf(readUser(client, '1'))).toBeInstanceOf(ServerError);
  expect(requests()).toBe(1);
});

it('retries a rate-limited change, but not one that may have taken effect', async () => {
  const limited = await clientOf([status(429), status(204)]);
  await deleteUser(limited.client, '1');
  expect(limited.requests()).toBe(2);

  const failing = await clientOf([status(503), status(204)]);
  expect(await errorOf(deleteUser(failing.client, '1'))).toMatchObject({ mayHaveActed: true });
  expect(failing.requests()).toBe(1);
});

it('does not start a wait longer than the remaining time', async () => {
  const retry = { maxAttempts: 4, firstWaitMs: 1, maxWaitMs: 100_000 };
  const { client, requests } = await clientOf([status(429, { 'retry-after': '60' })], { retry });
  const error = await errorOf(readUser(client, '1'));
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ retryAfterSeconds: 60, status: 429 });
  expect(requests()).toBe(1);
});

const slowRetry = { retry: { maxAttempts: 2, firstWaitMs: 10_000, maxWaitMs: 10_000 } };

it('throws the failure instead of a timeout if there is no time for another attempt', async () => {
  const { client } = await clientOf([status(503)], { ...slowRetry, timeoutMs: 60_000 });
  const error = await errorOf(readUser(client, '1', { signal: AbortSignal.timeout(1000) }));
  expect(error).toMatchObject({ status: 503 });
});

it('stops waiting for another attempt when the signal is aborted', async () => {
  const controller = new AbortController();
  const busy: RequestListener = (_request, response) => {
    response.once('close', () => setImmediate(() => controller.abort('aborted')));
    response.writeHead(503).end();
  };
  const { client, requests } = await clientOf([busy], { ...slowRetry, timeoutMs: 60_000 });
  expect(await errorOf(readUser(client, '1', { signal: controller.signal }))).toBe('aborted');
  expect(requests()).toBe(1);
});

it.each([
  ['hangs', hangs],
  [
    'sends single bytes',
    ((_request, response) => {
      const interval = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(interval));
    }) satisfies RequestListener,
  ],
])('stops after its timeout without a signal if the service %s', async (_n, listener) => {
  const { client, requests } = await clientOf([listener], { timeoutMs: 100 });
  const error = await errorOf(deleteUser(client, '1'));
  expect(error).toBeInstanceOf(ServiceTimeoutError);
  expect(error).toMatchObject({ mayHaveActed: true });
  expect(requests()).toBe(1);
});
