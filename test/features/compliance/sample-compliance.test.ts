import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { expect, it } from 'vitest';
import { describeCompliance } from '../../../src/features/compliance/describe-compliance.ts';
import { createComplianceSampler } from '../../../src/features/compliance/sample-compliance.ts';
import { createComplianceHistory } from '../../../src/features/compliance/store/compliance-history.ts';
import { fridayNine, startDigests, teamId } from '../digests/start-digests.ts';

it('stores a sample of each policy once a day', async () => {
  const { dependencies, samples, connected, policies, at } = await startDigests();
  await Promise.all([1, 2].map(() => createComplianceSampler(dependencies).finish()));
  at(addMinutes(fridayNine, 60));
  await createComplianceSampler(dependencies).finish();
  const stored = await samples.readAsOf(connected.connectionId, addMinutes(fridayNine, 60));
  expect(stored.map(({ policy }) => policy.name).toSorted()).toEqual(
    policies()
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(stored[0]?.statistics.compliantCount).toEqual(expect.any(Number));

  at(addDays(fridayNine, 1));
  await createComplianceSampler(dependencies).finish();
  expect(await samples.claim({ now: addDays(fridayNine, 1), leaseUntil: fridayNine })).toBe(
    undefined,
  );
});

it('retries after a failure, and claims a new connection separately', async () => {
  const { dependencies, samples, service, connected, world, at } = await startDigests();
  service.setFault({ kind: 'status', status: 500 });
  await createComplianceSampler(dependencies).finish();
  service.setFault(undefined);
  at(addMinutes(fridayNine, 29));
  await createComplianceSampler(dependencies).finish();
  const { connectionId } = connected;
  expect(await samples.readAsOf(connectionId, addMinutes(fridayNine, 29))).toEqual([]);

  world.service = { ...connected, connectionId: '00000000-0000-4000-8000-000000000000' };
  at(addMinutes(fridayNine, 30));
  await createComplianceSampler(dependencies).finish();
  expect(await samples.readAsOf(connectionId, addMinutes(fridayNine, 30))).toEqual([]);
  world.service = connected;
  at(addMinutes(fridayNine, 60));
  await createComplianceSampler(dependencies).finish();
  expect(await samples.readAsOf(connectionId, addMinutes(fridayNine, 60))).toHaveLength(12);
});

it('claims each connection for half an hour from the time of its claim, and none after a stop', async () => {
  const { dependencies, connected, samples, db, at } = await startDigests();
  await db
    .insertInto('connection')
    .values(
      ['T2', 'T3'].map((team) => ({
        id: randomUUID(),
        team_id: team,
        region_id: 'eu',
        token_sealed: 'sealed',
        saved_by: 'U1',
        saved_at: fridayNine,
      })),
    )
    .execute();
  const leases: Date[] = [];
  const sampler = createComplianceSampler({
    ...dependencies,
    samples: {
      ...samples,
      claim(claim: Parameters<typeof samples.claim>[0]) {
        leases.push(claim.leaseUntil);
        return samples.claim(claim);
      },
    },
    async openService() {
      at(addMinutes(fridayNine, 40));
      if (leases.length === 2) void sampler.stop();
      return connected;
    },
  });
  await sampler.finish();
  expect(leases).toEqual([30, 70].map((minutes) => addMinutes(fridayNine, minutes)));
});

it('takes no carried over count for a reading, and reads again before a day is over', async () => {
  const { dependencies, samples, service, connected, policies, db, at } = await startDigests();
  const gold = policies().find(({ name }) => name === 'Gold');
  if (!gold) throw new Error('there is no policy Gold');
  await createComplianceSampler(dependencies).finish();
  const pathPrefix = `/policies/definitions/${gold.id}/`;
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix });
  const nextDay = addHours(fridayNine, 22);
  at(nextDay);
  await createComplianceSampler(dependencies).finish();
  // Digests still compare with the last known counts.
  const { connectionId } = connected;
  const [stored] = (await samples.readAsOf(connectionId, nextDay)).filter(
    ({ policy }) => policy.id === gold.id,
  );
  expect(stored?.takenAt).toEqual(nextDay);
  expect(stored?.statistics.compliantCount).toEqual(expect.any(Number));
  const history = createComplianceHistory(db);
  expect(await history.readPolicy(connectionId, gold.id, nextDay)).toMatchObject([
    { takenAt: fridayNine },
  ]);
  expect(await history.readTotals(connectionId, nextDay)).toHaveLength(2);
});

it('says in the overview what was read, and not what was carried over', async () => {
  const { dependencies, samples, service, connected, policies, at } = await startDigests();
  const { connectionId } = connected;
  const describe = async () => {
    const block = await describeCompliance({ service: async () => connected }, dependencies);
    return JSON.stringify(block);
  };
  await createComplianceSampler(dependencies).finish();
  expect(await describe()).toContain(ageOf(fridayNine));
  expect(await describe()).not.toContain('unavailable');

  const gold = policies().find(({ name }) => name === 'Gold');
  const pathPrefix = `/policies/definitions/${gold?.id}/`;
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix });
  const nextDay = addDays(fridayNine, 1);
  at(nextDay);
  await createComplianceSampler(dependencies).finish();
  expect(await describe()).toMatch(/volumes compliant .* · 1 policy unavailable/);
  expect(await describe()).toContain(ageOf(nextDay));

  // As a digest does each day while no policy can be read.
  const last = await samples.readAsOf(connectionId, nextDay);
  for (const days of [2, 3, 4]) {
    const now = addDays(fridayNine, days);
    at(now);
    const readings = last.map((sample) => ({ ...sample, isCarriedOver: true }));
    await samples.save({ teamId, connectionId }, { at: now, nextAt: now, readings });
    expect(await describe()).toContain(ageOf(nextDay));
  }
  at(addDays(fridayNine, 5));
  expect(await describe()).toContain('no recent reading');
});

const ageOf = (moment: Date) => `<!date^${moment.getTime() / 1000}^`;
