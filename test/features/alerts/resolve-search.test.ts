import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { maxNames, parseAlertSearch } from '../../../src/features/alerts/alert-search.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import { resolveSearch } from '../../../src/features/alerts/resolve-search.ts';
import { createKnownValueStore } from '../../../src/features/alerts/store/known-value-store.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { databases } from '../../support/databases.ts';
import { newTeamId } from '../approvals/store/rows.ts';

const now = new Date('2026-11-21T12:00:00Z');
const alertOf = (severity: string | undefined, type: string | undefined) => ({
  ...{ id: '1', severity, type, otherFields: {} },
});

const onDefault = (teamId: string) => ({ teamId, connection: undefined });

describe.each(databases())('the values that filters accept, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** Replicas, and a process before and after a restart, have only the database in common. */
  const startProcess = () => createKnownValueStore(database.db);

  it.each(['documented', 'live'] as const)(
    'are the same in every process and after a restart, on the %s dialect',
    async (dialect) => {
      const teamId = newTeamId();
      const { client, service } = await openReference({ dialect });
      const resolve = (filter: string, knownValues = startProcess()) =>
        resolveSearch(onDefault(teamId), (known) => parseAlertSearch(filter, now, known), {
          ...{ knownValues, clock: () => now, openService: async () => ({ client }) },
        });

      const [first, second] = [startProcess(), startProcess()];
      const real = 'type:Quota_exhausted';
      expect(await resolve(real, first)).toMatchObject({ search: { types: ['quota_exhausted'] } });
      const requests = service.requests.length;
      expect(await resolve(real, second)).toEqual(await resolve(real, first));
      expect(await resolve(real, startProcess())).toEqual(await resolve(real, first));
      expect(service.requests).toHaveLength(requests);

      for (const process of [first, second, startProcess()]) {
        expect(await resolve('severity:eror', process)).toEqual({
          problem: expect.stringContaining('Did you mean `severity:error`?'),
        });
        expect(await resolve('type:made_up_by_me', process)).toMatchObject({
          problem: expect.stringContaining('enc_key_inaccessible or quota_exhausted.'),
        });
      }
    },
  );

  it('queries the service only for unknown values that are not typos', async () => {
    const { client, service } = await openReference();
    const dependencies = {
      ...{ knownValues: startProcess(), clock: () => now, openService: async () => ({ client }) },
    };
    const tooMany = Array.from({ length: maxNames + 1 }, (_, index) => `level_${index}`);
    const filters = [
      ...['severity:error type:tag_conflict', 'severity:eror,critical', 'sort:x type:y'],
      `severity:${tooMany.join(',')}`,
    ];
    for (const filter of filters) {
      await resolveSearch(
        onDefault(newTeamId()),
        (known) => parseAlertSearch(filter, now, known),
        dependencies,
      );
    }
    expect(service.requests).toEqual([]);
  });

  it('include one that an alert has, though no more can be stored', async () => {
    const teamId = newTeamId();
    const { client } = await openReference();
    const knownValues = startProcess();
    const gone = Array.from({ length: 40 }, (_, index) => alertOf('error', `gone_${index}`));
    await knownValues.add(teamId, gone, now);
    const resolved = await resolveSearch(
      onDefault(teamId),
      (known) => parseAlertSearch('type:quota_exhausted', now, known),
      { knownValues, clock: () => now, openService: async () => ({ client }) },
    );
    expect(resolved).toMatchObject({ search: { types: ['quota_exhausted'] } });
  });

  it('include those of alerts that a list has shown, for that team only', async () => {
    const teamId = newTeamId();
    const alerts = [alertOf('critical', 'quota_exhausted'), alertOf(undefined, undefined)];
    await startProcess().add(teamId, [...alerts, ...alerts], now);
    await startProcess().add(teamId, alerts, now);
    expect(await startProcess().read(teamId)).toEqual({
      severities: [...builtInValues.severities, 'critical'],
      types: [...builtInValues.types, 'quota_exhausted'],
    });
    expect(await startProcess().read(newTeamId())).toEqual(builtInValues);
  });

  it("exclude values that a menu can't contain, and more than 40 of a kind", async () => {
    const teamId = newTeamId();
    const store = startProcess();
    for (const type of ['<!channel>', '', 'two words', 'a,b', 'x'.repeat(31)]) {
      await store.add(teamId, [alertOf('error', type)], now);
    }
    expect(await store.read(teamId)).toEqual(builtInValues);
    const many = Array.from({ length: 500 }, (_, index) => alertOf('error', `type_${index}`));
    await Promise.all([store.add(teamId, many, now), store.add(teamId, many.toReversed(), now)]);
    expect((await store.read(teamId)).types).toHaveLength(builtInValues.types.length + 40);
  });
});
