import { expect, it } from 'vitest';
import {
  ForeignLinkError,
  UnexpectedResponseError,
} from '../../../src/dataprotection/http/errors.ts';
import { listNewestAlerts } from '../../../src/dataprotection/resources/alerts.ts';
import { serve } from '../../support/serve.ts';
import { listAlerts } from '../list-alerts.ts';
import { answerJson, clientOf, collect, errorOf, openClient } from '../local-server.ts';
import { serveList, upTo } from './changing-list.ts';

const linkSets = [
  [],
  ['_next', '_prev', '_last'],
  ['_next', '_last'],
  ['_last'],
  ['_next'],
] as const;

it.each(linkSets.flatMap((links) => [0, 1, 5, 6, 11].map((count) => ({ links, count }))))(
  'reads $count items newest first with the links $links',
  async ({ links, count }) => {
    const client = await clientOf(serveList({ ids: upTo(count), limit: 5, links }));
    const ids = (await collect(listNewestAlerts(client))).map(({ id }) => Number(id));
    expect(ids).toEqual(upTo(count).toReversed());
  },
);

it.each([[[]], [['_next']], [['_next', '_prev', '_last']]] as const)(
  'reads 11 items forward with the links %j',
  async (links) => {
    const client = await clientOf(serveList({ ids: upTo(11), limit: 5, links }));
    const ids = (await collect(listAlerts(client))).map(({ id }) => Number(id));
    expect(ids).toEqual(upTo(11));
  },
);

it.each([[[]], [['_next', '_prev', '_last']]] as const)(
  'neither misses nor repeats other items while items move to the end, links %j',
  async (links) => {
    const list = {
      ids: upTo(40),
      limit: 5,
      links,
      change: (current: { ids: number[] }, answered: number) => {
        if (answered >= 2) current.ids = [...current.ids.slice(1), current.ids[0] ?? 0];
      },
    };
    const ids = (await collect(listNewestAlerts(await clientOf(serveList(list))))).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe('40');
    // Items that moved are now past the start of the backward read; all others are found.
    const moved = upTo(40).filter((id) => !ids.includes(String(id)));
    expect(Math.max(0, ...moved)).toBeLessThanOrEqual(8);
  },
);

it.each(['documented', 'live'] as const)(
  'yields the latest version of an alert that is on a page twice, on the %s dialect',
  async (dialect) => {
    const at = (second: number) => ({ updated_timestamp: `2026-11-21T12:00:0${second}Z` });
    const oldestFirst = [
      { id: 'a', ...at(1) },
      { id: 'b', ...at(2) },
      { id: 'a', ...at(3) },
    ];
    const items = dialect === 'live' ? oldestFirst.toReversed() : oldestFirst;
    const baseUrl = await serve((_request, response) =>
      answerJson(response, { start: '1', total_count: 3, limit: 5, _embedded: { items } }),
    );
    const client = openClient(baseUrl, undefined, undefined, dialect);
    expect(await collect(listNewestAlerts(client))).toMatchObject([
      { id: 'a', updatedTimestamp: at(3).updated_timestamp },
      { id: 'b' },
    ]);
  },
);

it.each([[[]], [['_next', '_prev', '_last']]] as const)(
  'yields an alert once that is on the last of several pages twice, links %j',
  async (links) => {
    const ids = [...upTo(6), 7, 7];
    const client = await clientOf(serveList({ ids, limit: 5, links }));
    const read = (await collect(listNewestAlerts(client))).map(({ id }) => Number(id));
    expect(read).toEqual(upTo(7).toReversed());
  },
);

it('continues if the last page has become empty', async () => {
  const client = await clientOf(
    serveList({
      ids: upTo(21),
      limit: 5,
      links: [],
      change: (list, answered) => {
        if (answered === 1) list.ids = list.ids.slice(0, 12);
      },
    }),
  );
  const ids = (await collect(listNewestAlerts(client))).map(({ id }) => Number(id));
  expect(ids).toEqual(upTo(12).toReversed());
});

const firstPage = {
  start: '1',
  total_count: 4,
  limit: 2,
  _embedded: { items: [{ id: '1' }, { id: '2' }] },
};
const next = { href: '/alerts/individual?start=3', type: 'get', templated: false };

it.each([
  ['ignores start', firstPage],
  ['links to itself', { ...firstPage, _links: { _next: next } }],
  [
    'links to itself and says no start',
    { ...firstPage, start: undefined, _links: { _next: next } },
  ],
])('throws for a service that %s', async (_name, page) => {
  let requests = 0;
  const client = await clientOf((_request, response) => {
    requests += 1;
    answerJson(response, page);
  });
  expect(await errorOf(collect(listAlerts(client)))).toBeInstanceOf(UnexpectedResponseError);
  expect(requests).toBe(2);
});

it.each([{ templated: true }, { type: 'delete' }, { href: 5 }])(
  'computes the next page instead of following a link with %j',
  async (oddity) => {
    const paths: (string | undefined)[] = [];
    const client = await clientOf((request, response) => {
      paths.push(request.url);
      const rest = { ...firstPage, start: '3', _embedded: { items: [{ id: '3' }, { id: '4' }] } };
      const links = { _next: { ...next, ...oddity } };
      answerJson(response, paths.length === 1 ? { ...firstPage, _links: links } : rest);
    });
    expect(await collect(listAlerts(client))).toHaveLength(4);
    expect(paths).toEqual(['/alerts/individual', '/alerts/individual?start=3']);
  },
);

it('throws if the end of a list is unknown', async () => {
  const page = { ...firstPage, total_count: undefined, _links: { _next: next } };
  const client = await clientOf((_request, response) => answerJson(response, page));
  expect(await errorOf(collect(listNewestAlerts(client)))).toBeInstanceOf(UnexpectedResponseError);
});

it.each([{ _embedded: null }, { _embedded: { items: null } }, {}])(
  'treats %j as an empty list only with a count of zero',
  async (page) => {
    const empty = await clientOf((_request, response) =>
      answerJson(response, { total_count: 0, ...page }),
    );
    expect(await collect(listAlerts(empty))).toEqual([]);
    const unclear = await clientOf((_request, response) => answerJson(response, page));
    const error = await errorOf(collect(listAlerts(unclear)));
    expect(error).toMatchObject({ message: expect.stringContaining('_embedded.items') });
  },
);

it('names the item without an id in the error', async () => {
  const items = [{ id: '1' }, { name: 'nobody' }];
  const client = await clientOf((_request, response) =>
    answerJson(response, { _embedded: { items } }),
  );
  const error = await errorOf(collect(listAlerts(client)));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toMatchObject({ message: expect.stringContaining('_embedded.items.1.id') });
});

it('does not follow a next link to another origin', async () => {
  const seen: (string | undefined)[] = [];
  const client = await clientOf((request, response) => {
    seen.push(request.url);
    const href = `http://localhost:${request.socket.localPort}/alerts/individual?start=3`;
    answerJson(response, { ...firstPage, _links: { _next: { ...next, href } } });
  });
  expect(await errorOf(collect(listAlerts(client)))).toBeInstanceOf(ForeignLinkError);
  expect(seen).toEqual(['/alerts/individual']);
});
