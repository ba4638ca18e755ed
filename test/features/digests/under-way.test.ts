import { addMinutes } from 'date-fns/addMinutes';
import { subDays } from 'date-fns/subDays';
import { expect, it } from 'vitest';
import { runDueDigests } from '../../../src/features/digests/run-due-digests.ts';
import { fridayNine, startDigests } from './digest-stage.ts';

const meanwhile = addMinutes(fridayNine, 1).toISOString();

it('tells an alert once that is raised while it is put together: the next time', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'open'] });
  const times = { raised_timestamp: meanwhile, updated_timestamp: meanwhile };
  stage.raise({ id: 'meanwhile', severity: 'error', name: 'vm-77', ...times });
  await stage.run();
  stage.at('2026-03-07T08:00:00Z');
  await stage.run();
  const told = stage.posted().map(({ blocks }) => JSON.stringify(blocks).includes('vm-77'));
  expect(told).toEqual([false, true]);
});

it('counts an alert once that is cleared while it is put together: the next time', async () => {
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

it('holds each for two minutes from when it was taken, however long the others took', async () => {
  const stage = await startDigests();
  for (let count = 0; count < 9; count += 1) await stage.addDigest({ parts: ['approvals'] });
  const leases: Date[] = [];
  const { claimDue } = stage.store;
  const store = {
    ...stage.store,
    async claimDue(claim: Parameters<typeof claimDue>[0]) {
      leases.push(claim.leaseUntil);
      return claimDue(claim);
    },
  };
  const openService = async () => {
    stage.at(addMinutes(fridayNine, 1));
    return stage.connected;
  };
  expect(await stage.run({ store, openService })).toBe(9);
  expect(leases[0]).toEqual(addMinutes(fridayNine, 2));
  expect(leases.at(-1)).toEqual(addMinutes(fridayNine, 3));
});

it('begins no more once it is to stop, and ends what it has begun', async () => {
  const stage = await startDigests();
  for (let count = 0; count < 10; count += 1) await stage.addDigest({ parts: ['approvals'] });
  const stopping = new AbortController();
  const openService = async () => {
    stopping.abort();
    return stage.connected;
  };
  const run = () => runDueDigests({ ...stage.dependencies, openService }, stopping.signal);
  expect(await run()).toBe(8);
  expect(await run()).toBe(0);
  expect(await stage.look()).toBe(2);
});
