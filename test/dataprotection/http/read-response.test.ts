import { expect, it } from 'vitest';
import {
  ConflictError,
  CredentialsRefusedError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RateLimitedError,
  RequestRejectedError,
  ServerError,
  ServiceError,
  UnexpectedResponseError,
} from '../../../src/dataprotection/http/errors.ts';
import { deleteUser, readUser } from '../../../src/dataprotection/resources/users.ts';
import { answerJson, clientOf, errorOf } from '../local-server.ts';

it.each([
  [303, UnexpectedResponseError, true],
  [400, RequestRejectedError, false],
  [401, CredentialsRefusedError, false],
  [403, ForbiddenError, false],
  [404, NotFoundError, false],
  [405, MethodNotAllowedError, false],
  [406, RequestRejectedError, false],
  [409, ConflictError, false],
  [412, ConflictError, false],
  [422, RequestRejectedError, false],
  [429, RateLimitedError, false],
  [500, ServerError, true],
  [503, ServerError, true],
])('turns %i into %o', async (status, kind, writeMayHaveActed) => {
  const body = { errors: [{ error_code: 7, error_message: 'Because.' }] };
  const client = await clientOf((_request, response) => answerJson(response, body, status));

  const read = await errorOf(readUser(client, '36'));
  expect(read).toBeInstanceOf(kind);
  expect(read).toBeInstanceOf(ServiceError);
  const facts = { name: kind.name, status, serviceMessage: 'Because.' };
  expect(read).toMatchObject({ ...facts, request: 'GET /users/{id}', mayHaveActed: false });

  const write = await errorOf(deleteUser(client, '36'));
  expect(write).toBeInstanceOf(kind);
  expect(write).toMatchObject({ mayHaveActed: writeMayHaveActed, request: 'DELETE /users/{id}' });
});

it.each([
  ['{"errors":[{"error_message":5}]}', undefined],
  ['{"errors":[]}', undefined],
  ['{"errors":"x"}', undefined],
  ['<html>no</html>', undefined],
  ['', undefined],
  [
    JSON.stringify({ errors: [{ error_code: 'x', error_message: 'm'.repeat(999) }] }),
    'm'.repeat(300),
  ],
  ['{"errors":[{"error_message":"first"},{"error_message":"second"}]}', 'first'],
])('reads the error body %.40s', async (body, serviceMessage) => {
  const client = await clientOf((_request, response) => response.writeHead(400).end(body));
  const error = await errorOf(readUser(client, '36'));
  expect(error).toBeInstanceOf(RequestRejectedError);
  expect(error).toHaveProperty('serviceMessage', serviceMessage);
});

it.each([
  ['7', 7],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('reads Retry-After %s', async (retryAfter, seconds) => {
  const client = await clientOf((_request, response) => {
    const headers = { date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
    response.writeHead(429, retryAfter ? { ...headers, 'retry-after': retryAfter } : headers).end();
  });
  expect(await errorOf(readUser(client, '36'))).toHaveProperty('retryAfterSeconds', seconds);
});

it('does not follow a redirect to any origin', async () => {
  const paths: (string | undefined)[] = [];
  const client = await clientOf((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/users/37' }).end();
  });
  expect(await errorOf(readUser(client, '36'))).toBeInstanceOf(UnexpectedResponseError);
  expect(paths).toEqual(['/users/36']);
});
