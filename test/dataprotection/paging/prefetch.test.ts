import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { listUsers } from '../../../src/dataprotection/resources/users.ts';
import { answerJson, clientOf, errorOf } from '../local-server.ts';

function count(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index + 1);
}

/** A list of many pages; `respond` can override the response to a page. */
async function openList(respond?: (start: number) => number | undefined) {
  const requested: number[] = [];
  let aborted = 0;
  const client = await clientOf((request, response) => {
    const start = Number(new URL(request.url ?? '', 'http://x').searchParams.get('start') ?? 1);
    requested.push(start);
    response.once('close', () => {
      if (!response.writableFinished) aborted += 1;
    });
    const status = respond?.(start);
    if (status === 0) return;
    answerJson(
      response,
      {
        start: String(start),
        total_count: 99,
        limit: 1,
        _embedded: { items: [{ id: `${start}` }] },
      },
      status,
    );
  });
  return { client, requested, aborted: () => aborted };
}

it('sends one request if only one page is read', async () => {
  const { client, requested } = await openList();
  for await (const _page of listUsers(client)) break;
  await turn();
  expect(requested).toEqual([1]);
});

it('prefetches one page from the second page on, and at most three later', async () => {
  const { client, requested } = await openList();
  const pages = listUsers(client);
  for (const upTo of [1, 3, 5, 7, 8, 9]) {
    await pages.next();
    await expect.poll(() => requested.toSorted((a, b) => a - b)).toEqual(count(upTo));
  }
  await pages.return(undefined);
});

it('aborts the request for a page that is no longer needed', async () => {
  const { client, requested, aborted } = await openList((start) => (start === 3 ? 0 : undefined));
  for await (const page of listUsers(client)) {
    if (page.start !== '2') continue;
    await expect.poll(() => requested).toEqual([1, 2, 3]);
    break;
  }
  await expect.poll(aborted).toBe(1);
});

it('throws the failure of a prefetched page in order, and ignores it if reading stopped', async () => {
  const { client } = await openList((start) => (start === 3 ? 500 : undefined));
  const pages = listUsers(client);
  await pages.next();
  expect((await pages.next()).value).toMatchObject({ start: '2' });
  expect(await errorOf(pages.next())).toMatchObject({ status: 500 });

  const unread = listUsers(client);
  await unread.next();
  await unread.next();
  // An unhandled rejection would end the test run.
  await unread.return(undefined);
});
