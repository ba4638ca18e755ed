import { expect, it } from 'vitest';
import { maxNames, parseAlertSearch } from '../../../src/features/alerts/alert-search.ts';
import { builtInValues, createKnownValues } from '../../../src/features/alerts/known-values.ts';
import { resolveSearch } from '../../../src/features/alerts/resolve-search.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import { openReference, serviceWith } from '../../dataprotection/reference-service.ts';

const now = new Date('2026-11-21T12:00:00Z');

const person: Person = {
  slackUserId: 'U1',
  isAdmin: false,
  email: undefined,
  membership: 'member',
};

async function openSearch(dialect: 'documented' | 'live' = 'documented') {
  const { client, service } = await openReference({ dialect });
  const resolve = (filter: string, knownValues = createKnownValues()) =>
    resolveSearch(
      {
        teamId: 'T1',
        channelId: 'C1',
        person,
        text: filter,
        service: async () => serviceWith(client),
      },
      (known) => parseAlertSearch(filter, now, known),
      { knownValues, savedFilters: { list: async () => [] } },
    );
  return { resolve, service };
}

it.each(['documented', 'live'] as const)(
  'accepts values that an alert of the service has, on the %s dialect',
  async (dialect) => {
    const { resolve } = await openSearch(dialect);
    expect(await resolve('type:Quota_exhausted')).toMatchObject({
      search: { types: ['quota_exhausted'] },
    });
    expect(await resolve('severity:eror')).toEqual({
      problem: expect.stringContaining('Did you mean `severity:error`?'),
    });
    expect(await resolve('type:made_up_by_me')).toMatchObject({
      problem: expect.stringContaining('Unknown alert type'),
    });
  },
);

it('queries the service only for unknown values that are not typos', async () => {
  const { resolve, service } = await openSearch();
  const tooMany = Array.from({ length: maxNames + 1 }, (_, index) => `level_${index}`);
  await resolve('severity:error type:tag_conflict');
  await resolve('severity:eror,critical');
  await resolve('sort:x type:y');
  await resolve(`severity:${tooMany.join(',')}`);
  const known = createKnownValues();
  known.seeList('T1', [{ severity: 'critical', type: 'quota_exhausted' }]);
  expect(await resolve('severity:critical type:quota_exhausted', known)).toHaveProperty('search');
  expect(service.requests).toEqual([]);
});

it("knows the values of each team's last list only", () => {
  const known = createKnownValues();
  known.seeList('T1', [{ severity: 'minor', type: undefined }]);
  known.seeList('T1', [
    { severity: 'critical', type: 'quota_exhausted' },
    { severity: 'error', type: 'quota_exhausted' },
    { severity: undefined, type: undefined },
  ]);
  expect(known.read('T1')).toEqual({
    severities: [...builtInValues.severities, 'critical'],
    types: [...builtInValues.types, 'quota_exhausted'],
  });
  expect(known.read('T2')).toEqual(builtInValues);
});

it("leaves out values that a menu can't contain, and more than 40 of a kind", () => {
  const known = createKnownValues();
  const alertsOf = (types: string[]) => types.map((type) => ({ severity: 'error', type }));
  known.seeList('T1', alertsOf(['<!channel>', '', 'two words', 'a,b', 'x'.repeat(31)]));
  expect(known.read('T1')).toEqual(builtInValues);
  known.seeList('T1', alertsOf(Array.from({ length: 500 }, (_, index) => `type_${index}`)));
  expect(known.read('T1').types).toHaveLength(builtInValues.types.length + 40);
});
