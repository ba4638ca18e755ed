import { expect, it } from 'vitest';
import { defaultSearch, parseAlertSearch } from '../../../src/features/alerts/alert-search.ts';
import { alertsPerPage, findAlerts } from '../../../src/features/alerts/find-alerts.ts';
import { createAlertMatcher } from '../../../src/features/alerts/matches-search.ts';
import { readMatching } from '../../../src/features/alerts/read-matching.ts';
import { alertListMessage } from '../../../src/features/alerts/views/alert-list-message.ts';
import { listAlerts } from '../../dataprotection/list-alerts.ts';
import { collect } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

const never = new AbortController().signal;
const now = new Date();
const patience = { now, signal: never, maxServicePages: 200 };
const firstPage = { search: defaultSearch };

it.each(['documented', 'live'] as const)(
  'finds the matching alerts on the %s dialect',
  async (dialect) => {
    const { client } = await openReference({ dialect, now });
    // The live dialect's filter of active alerts hides these, a known difference.
    const all = (await collect(listAlerts(client))).filter(({ status }) => status !== 'muted');
    for (const text of [
      'severity:error,warning type:policy_violated policy:Gold',
      'status:all since:2w sort:raised',
      'status:cleared severity:error sort:-severity orders',
      'billing volume sort:updated',
    ]) {
      const read = parseAlertSearch(text, now);
      if ('problem' in read) throw new Error(read.problem);
      const { matched, isComplete } = await readMatching(client, read.search, patience);
      const expected = all.filter(createAlertMatcher(read.search, now));
      const ids = matched.filter(({ status }) => status !== 'muted').map(({ id }) => id);
      expect(isComplete).toBe(true);
      expect(ids.length, text).toBeGreaterThan(0);
      expect(ids.toSorted(), text).toEqual(expected.map(({ id }) => id).toSorted());
    }
  },
);

it('resolves a search once, not for each alert', async () => {
  const { client } = await openReference();
  let readCount = 0;
  const search = {
    ...defaultSearch,
    get since() {
      readCount += 1;
      return '2w';
    },
  };
  const { examinedCount } = await readMatching(client, search, patience);
  expect(examinedCount).toBeGreaterThan(100);
  expect(readCount).toBeLessThan(10);
});

it('counts all matches if there is time', async () => {
  const { client, service, portal } = await openReference();
  const active = service.alerts(portal.id).filter(({ status }) => status !== 'cleared');
  const found = await findAlerts(client, firstPage, { ...patience, stopCounting: never });
  expect(found).toMatchObject({ isComplete: true, hasMore: true, stopped: undefined });
  expect(found.alerts).toHaveLength(alertsPerPage);
  expect(found.matched).toHaveLength(active.length);
});

it.each([
  ['hangs', { kind: 'hang' } as const],
  ['fails', { kind: 'status', status: 500 } as const],
])('shows the page if the service %s while Belay counts', async (_, fault) => {
  const { client, service } = await openReference();
  service.setFault(fault, { pathPrefix: '/alerts/individual?sort=updated_timestamp&start=541' });
  const stopCounting = AbortSignal.timeout(300);
  const found = await findAlerts(client, firstPage, { ...patience, stopCounting });
  expect(found).toMatchObject({ isComplete: false, hasMore: true, stopped: undefined });
  expect(found.alerts).toHaveLength(alertsPerPage);
});

it('says that alerts may be missing from a list that shrinks on every read', async () => {
  const { client, service } = await openReference({ dialect: 'live' });
  const fault = { kind: 'changing-list', change: 'remove' } as const;
  service.setFault(fault, { pathPrefix: '/alerts/individual?' });
  const search = { ...defaultSearch, status: 'all', sort: 'raised' } as const;
  expect(await readMatching(client, search, patience)).toMatchObject({
    isComplete: false,
    hasShrunk: true,
    backTo: undefined,
  });
  const found = await findAlerts(client, { search }, { ...patience, stopCounting: never });
  expect(found.stopped).toMatchObject({ hasShrunk: true });
  expect(alertListMessage(found).text).toContain('The list changed while Belay read it');

  const newestFirst = { search: { ...search, sort: '-updated' as const } };
  const page = await findAlerts(client, newestFirst, { ...patience, stopCounting: never });
  expect(page).toMatchObject({ isComplete: false, stopped: undefined });
});

it('reads a list again if it shrank', async () => {
  const { client, service, portal } = await openReference({ dialect: 'live' });
  const fault = { kind: 'changing-list', change: 'remove' } as const;
  service.setFault(fault, { pathPrefix: '/alerts/individual?', times: 1 });
  const search = { ...defaultSearch, status: 'all' } as const;
  const { isComplete, matched } = await readMatching(client, search, patience);
  expect(isComplete).toBe(true);
  expect(matched).toHaveLength(service.alerts(portal.id).length);
});

it('sorts what was read, and says that it is incomplete', async () => {
  const { client } = await openReference();
  const query = { search: { ...defaultSearch, sort: 'raised' as const } };
  const found = await findAlerts(client, query, {
    ...patience,
    maxServicePages: 3,
    stopCounting: AbortSignal.abort(),
  });
  expect(found.stopped).toMatchObject({ examinedCount: 60 });
  const raised = found.matched.flatMap(({ raisedTimestamp }) => raisedTimestamp ?? []);
  expect(raised).toEqual(raised.toSorted());
});
