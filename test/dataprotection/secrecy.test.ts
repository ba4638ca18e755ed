import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { listUsers, readUser } from '../../src/dataprotection/resources/users.ts';
import { serve } from '../support/serve.ts';
import { answerJson, errorOf, openClient } from './local-server.ts';

const canary = 'eyJhbGciOi.canary-token/with+odd=.signature';

const echoed = { errors: [{ error_message: `${'x'.repeat(290)}${canary} is not valid` }] };
const echoingLink = {
  href: `/users/${'x'.repeat(175)}${canary}?t=${canary}`,
  type: 'get',
  templated: false,
};

const services: [string, RequestListener][] = [
  ['rejects it in an error message', (_request, response) => answerJson(response, echoed, 401)],
  ['resets the connection', (request) => request.socket.resetAndDestroy()],
  [
    'responds with HTML that contains it',
    (_request, response) => response.end(`<h1>${canary}</h1>`),
  ],
  ['has it as a status text', (_request, response) => response.writeHead(500, canary).end()],
  [
    'redirects to it',
    (_request, response) =>
      response.writeHead(302, { location: `https://evil.example/${canary}` }).end(),
  ],
  [
    'truncates its response',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '9' });
      response.write('{', () => response.socket?.destroy());
    },
  ],
  [
    'links to it',
    (request, response) =>
      request.url === '/users'
        ? answerJson(response, { _links: { _next: echoingLink }, _embedded: { items: [] } })
        : response.writeHead(500).end(),
  ],
  [
    'links elsewhere with it',
    (_request, response) => {
      const _next = { ...echoingLink, href: `https://evil.example/${canary}` };
      answerJson(response, { _links: { _next }, _embedded: { items: [] } });
    },
  ],
];

it.each(services)(
  'throws an error without the token if the service %s',
  async (_name, listener) => {
    const client = openClient(await serve(listener), canary);
    const error = await errorOf(
      (async () => {
        for await (const page of listUsers(client)) expect(page.items).toEqual([]);
      })(),
    );
    expectNoCanary(error);
  },
);

it('throws errors without the token before a request', async () => {
  const odd = `${canary}\n`;
  expectNoCanary(await errorOf(readUser(openClient('http://127.0.0.1:9', odd), '1')));
  const client = openClient('http://127.0.0.1:9', canary);
  expectNoCanary(await errorOf(readUser(client, canary)));
  expectNoCanary(client);
});

function expectNoCanary(value: unknown): void {
  const shown = [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: 10, showHidden: true }),
    value instanceof Error ? `${value.stack} ${inspect(value.cause)}` : '',
  ].join('\n');
  // No part of it either: text may be truncated in the middle.
  expect(shown).not.toContain('canary');
  expect(shown).not.toContain('eyJhbG');
}
