import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import {
  ConflictError,
  CredentialsRefusedError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RateLimitedError,
  RequestRejectedError,
  ServerError,
  UnexpectedResponseError,
} from '../../../src/dataprotection/http/errors.ts';
import { updateUser } from '../../../src/dataprotection/resources/users.ts';
import { serve } from '../../support/serve.ts';
import { answerJson, errorOf, openClient } from '../local-server.ts';

const kinds = [
  [400, RequestRejectedError],
  [401, CredentialsRefusedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [405, MethodNotAllowedError],
  [409, ConflictError],
  [412, ConflictError],
  [423, ConflictError],
  [429, RateLimitedError],
  [500, ServerError],
  [503, ServerError],
  [302, UnexpectedResponseError],
] as const;

const error = { error_code: 111, error_message: 'Not like this.' };
const json = 'application/json';
const bodies: [name: string, type: string, body: string, message: string | undefined][] = [
  ['with a numeric code', json, JSON.stringify({ errors: [error] }), 'Not like this.'],
  [
    'with a code in words',
    json,
    JSON.stringify({ errors: [{ ...error, error_code: 'E1' }] }),
    'Not like this.',
  ],
  ['of several', json, JSON.stringify({ errors: [error, { error_code: 2 }] }), 'Not like this.'],
  ['with another type', 'text/plain', JSON.stringify({ errors: [error] }), 'Not like this.'],
  ['of none', json, '{"errors":[]}', undefined],
  ['of another shape', json, '{"error":"no","errors":"no"}', undefined],
  ['that is empty', json, '', undefined],
  ['that is cut off', json, '{"errors":[{"error_message":"Not li', undefined],
  ['that is HTML', 'text/html', '<html><h1>Bad gateway</h1></html>', undefined],
  ['that is HTML by another name', json, '<html><h1>Bad gateway</h1></html>', undefined],
];

describe.each(dialects)('an error, %s dialect', (dialect) => {
  it.each(bodies)("%s has a class and the service's message", async (_, type, body, words) => {
    for (const [status, kind] of kinds) {
      const baseUrl = await serve((_request, response) => {
        response.writeHead(status, { 'content-type': type }).end(body);
      });
      const client = openClient(baseUrl, 'a.b.c', undefined, dialect);
      const thrown = await errorOf(updateUser(client, '36', { isEnabled: false }));
      expect(thrown).toBeInstanceOf(kind);
      expect(thrown).toMatchObject({ status, serviceMessage: words });
    }
  });

  it('has mayHaveActed for a success that cannot be parsed', async () => {
    const baseUrl = await serve((_request, response) => answerJson(response, ['not a user']));
    const client = openClient(baseUrl, 'a.b.c', undefined, dialect);
    const thrown = await errorOf(updateUser(client, '36', { isEnabled: false }));
    expect(thrown).toBeInstanceOf(UnexpectedResponseError);
    expect(thrown).toMatchObject({ mayHaveActed: true });
  });
});
