import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { expect, it } from 'vitest';
import { sampleCompliance } from '../../../src/features/digests/sample-compliance.ts';
import { fridayNine, startDigests } from './digest-stage.ts';

it('notes once a day how each policy is kept', async () => {
  const { dependencies, samples, connected, policies } = await startDigests();
  await Promise.all([1, 2].map(() => sampleCompliance(fridayNine, dependencies)));
  await sampleCompliance(addMinutes(fridayNine, 60), dependencies);
  const noted = await samples.readAsOf(connected.connectionId, addMinutes(fridayNine, 60));
  expect(noted.map(({ policy }) => policy.name).toSorted()).toEqual(
    policies()
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(noted[0]?.statistics.compliantCount).toEqual(expect.any(Number));

  await sampleCompliance(addDays(fridayNine, 1), dependencies);
  expect(await samples.claim({ now: addDays(fridayNine, 1), leaseUntil: fridayNine })).toBe(
    undefined,
  );
});

it('comes again after a failure, and leaves another connection to its own turn', async () => {
  const { dependencies, samples, service, connected, world } = await startDigests();
  service.setFault({ kind: 'status', status: 500 });
  await sampleCompliance(fridayNine, dependencies);
  service.setFault(undefined);
  await sampleCompliance(addMinutes(fridayNine, 29), dependencies);
  const { connectionId } = connected;
  expect(await samples.readAsOf(connectionId, addMinutes(fridayNine, 29))).toEqual([]);

  world.service = { ...connected, connectionId: '00000000-0000-4000-8000-000000000000' };
  await sampleCompliance(addMinutes(fridayNine, 30), dependencies);
  expect(await samples.readAsOf(connectionId, addMinutes(fridayNine, 30))).toEqual([]);
  world.service = connected;
  await sampleCompliance(addMinutes(fridayNine, 60), dependencies);
  expect(await samples.readAsOf(connectionId, addMinutes(fridayNine, 60))).toHaveLength(12);
});
