import { expect, it } from 'vitest';
import type { Alert as ServiceAlert } from '../../../playground/service/resources.ts';
import {
  type AlertSearch,
  defaultSearch,
  parseAlertSearch,
} from '../../../src/features/alerts/alert-search.ts';
import { type AlertQuery, addMarks, findAlerts } from '../../../src/features/alerts/find-alerts.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

const never = new AbortController().signal;
const now = new Date();

async function openList(search: AlertSearch, dialect: 'documented' | 'live') {
  const { client, service, portal } = await openReference({ now, dialect });
  let query: AlertQuery = { search };
  /** The next page, by its ids. */
  async function turn(): Promise<string[]> {
    const patience = {
      now,
      stopCounting: AbortSignal.abort(),
      signal: never,
      maxServicePages: 200,
    };
    const found = await findAlerts(client, query, patience);
    const { asOf, alerts } = found;
    query = { search, asOf, shown: addMarks(found.shown, alerts) };
    return alerts.map(({ id }) => id);
  }
  return {
    turn,
    active: () =>
      service
        .alerts(portal.id)
        .filter(({ status, type }) => status === 'active' && type === 'tag_conflict'),
    put: (alert: ServiceAlert) => service.putAlert(portal.id, alert),
    async turnAll(): Promise<string[]> {
      const ids: string[] = [];
      for (let page = await turn(); page.length > 0; page = await turn()) {
        ids.push(...page);
      }
      return ids;
    },
  };
}

const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();

it.each([
  ['-updated', 'documented'],
  ['-updated', 'live'],
  ['updated', 'live'],
  ['-raised', 'live'],
  ['raised', 'live'],
  ['-severity', 'live'],
  ['severity', 'live'],
] as const)(
  'shows each alert once, even if others change: %s on the %s dialect',
  async (sort, dialect) => {
    const read = parseAlertSearch(`type:tag_conflict sort:${sort}`, now);
    if ('problem' in read) throw new Error(read.problem);
    const { active, put, turn, turnAll } = await openList(read.search, dialect);
    const whole = active();
    expect(whole.length).toBeGreaterThan(15);
    const first = await turn();
    const second = await turn();
    const rest = whole.filter(({ id }) => ![...first, ...second].includes(id));
    const byId = (id: string | undefined) => whole.find((one) => one.id === id);

    const cleared = [byId(first[0]), byId(second[2]), rest.at(0)];
    for (const one of cleared) if (one) put({ ...one, status: 'cleared' });
    // An alert that was shown and two that were not are updated.
    const moved = [byId(first[1]), rest.at(1), rest.at(-1)];
    for (const one of moved) {
      if (one) put({ ...one, updated_timestamp: later(1), raised_count: 7, severity: 'error' });
    }
    const [sample] = whole;
    if (sample) {
      const times = { raised_timestamp: later(2), updated_timestamp: later(2) };
      put({ ...sample, ...times, id: 'brand-new', raised_count: 1 });
    }

    const third = await turn();
    const all = [...first, ...second, ...third, ...(await turnAll())];
    expect(new Set(all).size).toBe(all.length);
    const expected = [...first, ...second, ...rest.slice(1).map(({ id }) => id)];
    expect(all.toSorted()).toEqual(expected.toSorted());
  },
);

it('goes back to the same pages', async () => {
  const { client } = await openReference({ now });
  const patience = { now, stopCounting: AbortSignal.abort(), signal: never, maxServicePages: 200 };
  const first = await findAlerts(client, { search: defaultSearch }, patience);
  const { asOf } = first;
  const shown = addMarks(first.shown, first.alerts);
  await findAlerts(client, { search: defaultSearch, asOf, shown }, patience);
  const again = await findAlerts(client, { search: defaultSearch, asOf, shown: '' }, patience);
  expect(again.alerts).toEqual(first.alerts);
});
