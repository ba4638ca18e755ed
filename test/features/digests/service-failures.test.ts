import { addMinutes } from 'date-fns/addMinutes';
import { subDays } from 'date-fns/subDays';
import { expect, it } from 'vitest';
import { fridayNine, startDigests, thursdayText } from './start-digests.ts';

class Killed extends Error {}

it('posts a digest once if a process dies after the claim', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['approvals'] });
  const crashing = {
    ...stage.store,
    finish: async () => {
      throw new Killed();
    },
  };
  expect(await stage.run({ store: crashing })).toBe(1);
  expect(stage.posted()).toEqual([]);

  stage.at(addMinutes(fridayNine, 1));
  expect(await stage.run()).toBe(0);
  stage.at(addMinutes(fridayNine, 2));
  expect(await stage.run()).toBe(1);
  stage.at(addMinutes(fridayNine, 10));
  expect(await stage.run()).toBe(0);
  expect(stage.posted()).toHaveLength(1);
});

it('retries while the service is down, then reports it and covers the period again', async () => {
  const stage = await startDigests();
  const digest = await stage.addDigest({ parts: ['new'], weekdays: [1, 2, 3, 4, 5] });
  stage.service.setFault({ kind: 'status', status: 500 });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect(stage.texts()).toEqual([]);
    stage.at(addMinutes(fridayNine, attempt * 2));
    expect(await stage.run()).toBe(1);
  }
  expect(stage.texts()).toEqual([
    expect.stringContaining(`The next digest covers everything since ${thursdayText}.`),
  ]);
  const thursdayNine = subDays(fridayNine, 1);
  expect((await stage.store.find(digest))?.coveredUntil).toEqual(thursdayNine);

  stage.service.setFault(undefined);
  stage.at('2026-03-09T08:00:00Z');
  await stage.run();
  expect(stage.posted().map(({ text }) => text)).toEqual([
    expect.stringContaining(`Digest · since ${thursdayText}`),
  ]);
});

it("reports the rest if only compliance can't be read", async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'compliance'] });
  stage.service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/policies' });
  await stage.run();
  expect(stage.posted()[0]?.text).toContain('*Compliance* · unavailable.');
});

it('reports a workspace that is not connected', async () => {
  const stage = await startDigests();
  await stage.addDigest();
  stage.world.service = undefined;
  await stage.run();
  expect(stage.texts()[0]).toContain("Belay isn't connected to the data-protection service.");
});
