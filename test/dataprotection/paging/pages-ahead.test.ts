import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import { ServiceTimeoutError } from '../../../src/dataprotection/http/errors.ts';
import { listUsers } from '../../../src/dataprotection/resources/users.ts';
import { serve } from '../../support/serve.ts';
import { answerJson, collect, errorOf, openClient } from '../local-server.ts';

type Envelope = Record<string, unknown>;

/**
 * Lists with one user per page; `pageAt` adds to an envelope, `respond` overrides how it is sent.
 */
async function openList(
  pageAt: (start: string) => Envelope,
  {
    dialect = 'documented',
    respond = (send) => send(),
  }: {
    dialect?: Dialect;
    respond?: (send: () => void, start: string, response: ServerResponse) => void;
  } = {},
) {
  const requested: string[] = [];
  const baseUrl = await serve((request, response) => {
    const start = new URL(request.url ?? '', 'http://x').searchParams.get('start') ?? '1';
    requested.push(start);
    const envelope = { start, _embedded: { items: [{ id: start }] }, ...pageAt(start) };
    respond(() => answerJson(response, envelope), start, response);
  });
  return { requested, client: openClient(baseUrl, 'a.b.c', undefined, dialect) };
}

const next = (start: string | number) => ({
  _next: { href: `/users?limit=1&start=${start}`, type: 'get', templated: false },
});
const upTo = (end: number) => Array.from({ length: end }, (_, index) => String(index + 1));
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

it.each([
  ['documented', { total_count: 12 }],
  ['live', { total_count: 12, total_pages_count: 12 }],
] as const)(
  'requests each page of a linked list on the %s dialect once, and none beyond',
  async (dialect, totals) => {
    const linked = (start: string) => ({
      ...totals,
      _links: Number(start) < 12 ? next(Number(start) + 1) : {},
    });
    const { client, requested } = await openList(linked, { dialect });
    expect(idsOf(await collect(listUsers(client)))).toEqual(upTo(12));
    expect(requested).toEqual(upTo(12));
  },
);

it('requests the next page before the current one is used, from the second page on', async () => {
  const { client, requested } = await openList(() => ({ total_count: 9 }));
  const pages = listUsers(client);
  await pages.next();
  expect(requested).toEqual(['1']);
  await pages.next();
  await expect.poll(() => requested).toEqual(['1', '2', '3']);
});

it('follows page tokens, even numeric ones', async () => {
  const tokens = ['1', '2', '3', '5', '4', '9'];
  const { client, requested } = await openList(
    (start) => {
      const token = tokens[tokens.indexOf(start) + 1];
      return { _links: token ? next(token) : {} };
    },
    { dialect: 'live' },
  );
  expect(idsOf(await collect(listUsers(client)))).toEqual(tokens);
  expect(requested).toEqual(tokens);
});

it('throws the failure of a page that was requested ahead only when its turn comes', async () => {
  const { client, requested } = await openList(() => ({ total_count: 99 }), {
    respond: (send, start, response) => {
      if (start === '6') response.writeHead(500).end();
      else send();
    },
  });
  const pages = listUsers(client);
  for (const start of upTo(5)) expect((await pages.next()).value).toMatchObject({ start });
  await expect.poll(() => requested).toContain('6');
  expect(await errorOf(pages.next())).toMatchObject({ status: 500 });
  expect((await pages.next()).done).toBe(true);
});

it('aborts the request for a page that is not read', async () => {
  let open = 0;
  const { client } = await openList(() => ({ total_count: 99 }), {
    respond: (send, start, response) => {
      if (Number(start) <= 4) return send();
      open += 1;
      response.once('close', () => (open -= 1));
    },
  });
  const pages = listUsers(client);
  for (const start of upTo(4)) expect((await pages.next()).value).toMatchObject({ start });
  await expect.poll(() => open).toBe(1);
  await pages.return(undefined);
  await expect.poll(() => open).toBe(0);
});

it('ends the list when the deadline of the whole call passes', async () => {
  const { client } = await openList(() => ({ total_count: 1_000_000 }));
  const walk = collect(listUsers(client, { signal: AbortSignal.timeout(100) }));
  expect(await errorOf(walk)).toBeInstanceOf(ServiceTimeoutError);
});
