import { addMinutes } from 'date-fns/addMinutes';
import { subDays } from 'date-fns/subDays';
import { subSeconds } from 'date-fns/subSeconds';
import { expect, it } from 'vitest';
import { createDigestRunner } from '../../../src/features/digests/run-due-digests.ts';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests } from './start-digests.ts';

const meanwhile = addMinutes(fridayNine, 1).toISOString();

it('includes an alert that is raised during a run in the next digest', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'open'] });
  const times = { raised_timestamp: meanwhile, updated_timestamp: meanwhile };
  stage.raise({ id: 'meanwhile', severity: 'error', name: 'vm-77', ...times });
  await stage.run();
  stage.at('2026-03-07T08:00:00Z');
  await stage.run();
  const reported = stage.posted().map(({ blocks }) => JSON.stringify(blocks).includes('vm-77'));
  expect(reported).toEqual([false, true]);
});

it('includes an alert that is cleared during a run in the next digest', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['cleared'] });
  const clearedSoFar = stage.service
    .alerts(stage.portal.id)
    .filter(({ status, cleared_timestamp, updated_timestamp }) => {
      const at = cleared_timestamp ?? updated_timestamp;
      return status === 'cleared' && at > subDays(fridayNine, 1).toISOString();
    });
  const times = { updated_timestamp: meanwhile, cleared_timestamp: meanwhile };
  stage.raise({ id: 'meanwhile', severity: 'error', name: 'vm-77', status: 'cleared', ...times });
  await stage.run();
  stage.at('2026-03-07T08:00:00Z');
  await stage.run();
  expect(stage.posted().map(({ text }) => /(\d+) cleared/.exec(text)?.[1])).toEqual([
    String(clearedSoFar.length),
    '1',
  ]);
});

it('reports an alert that the service lists late once, in the next digest', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'cleared'] });
  await stage.run();
  const before = subSeconds(fridayNine, 30).toISOString();
  const times = { raised_timestamp: before, updated_timestamp: before };
  stage.raise({ id: 'late', severity: 'error', name: 'vm-77', ...times });
  const cleared = { status: 'cleared', cleared_timestamp: before } as const;
  stage.raise({ id: 'late too', severity: 'error', name: 'vm-78', ...times, ...cleared });
  for (const day of ['2026-03-07', '2026-03-08']) {
    stage.at(`${day}T08:00:00Z`);
    await stage.run();
  }
  expect(stage.posted().map(({ text }) => text.split('\n').at(-1))).toEqual([
    expect.stringMatching(/new alerts .* · \d+ cleared$/),
    '1 new alert (1 error) · 1 cleared',
    expect.stringContaining('nothing to report'),
  ]);
});

it('shows an alert of the last few seconds as open, and as new only in the next digest', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'open'] });
  const before = subSeconds(fridayNine, 5).toISOString();
  const times = { raised_timestamp: before, updated_timestamp: before };
  const others = stage.service.alerts(stage.portal.id);
  stage.raise({ id: 'just', severity: 'error', name: 'vm-77', ...times });
  for (const one of others) {
    stage.service.putAlert(stage.portal.id, { ...one, status: 'cleared' });
  }
  const parts: (string | undefined)[] = [];
  for (const day of ['2026-03-06', '2026-03-07', '2026-03-08']) {
    stage.at(`${day}T08:00:00Z`);
    await stage.run();
    const texts = textsOf(stage.posted().at(-1)?.blocks);
    const at = texts.findIndex((text) => text.includes('vm-77'));
    parts.push(texts[at - 1]);
  }
  expect(parts).toEqual(['*Still active* · 1', '*New alerts* · 1', '*Still active* · 1']);
});

it('leases each digest for two minutes from the time of its claim', async () => {
  const stage = await startDigests();
  for (let count = 0; count < 9; count += 1) await stage.addDigest({ parts: ['approvals'] });
  const leases: Date[] = [];
  const { leaseDue } = stage.store;
  const store = {
    ...stage.store,
    async leaseDue(...given: Parameters<typeof leaseDue>) {
      const leased = await leaseDue(...given);
      leases.push(...leased.map(() => given[0].until));
      return leased;
    },
  };
  const openService = async () => {
    stage.at(addMinutes(fridayNine, 1));
    return stage.connected;
  };
  expect(await stage.run({ store, openService })).toBe(9);
  expect(leases).toHaveLength(9);
  expect(leases[0]).toEqual(addMinutes(fridayNine, 2));
  expect(leases.at(-1)).toEqual(addMinutes(fridayNine, 3));
});

it('starts no new runs after a stop, and finishes started runs', async () => {
  const stage = await startDigests();
  for (let count = 0; count < 10; count += 1) await stage.addDigest({ parts: ['approvals'] });
  const openService = async () => {
    void runner.stop();
    return stage.connected;
  };
  const runner = createDigestRunner({ ...stage.dependencies, openService });
  expect(await runner.finish()).toBe(8);
  expect(await runner.finish()).toBe(0);
  expect(await stage.look()).toBe(2);
});
