import { addMinutes } from 'date-fns/addMinutes';
import { subHours } from 'date-fns/subHours';
import { expect, it } from 'vitest';
import { buttonsOf, textsOf } from '../message-parts.ts';
import {
  firstOfPeriod,
  fridayNine,
  fridayText,
  startDigests,
  thursdayText,
} from './start-digests.ts';

it('reports new, open and cleared alerts and compliance changes since the last one', async () => {
  const stage = await startDigests({ dialect: 'live' });
  const [policy] = stage.policies();
  const digest = await stage.addDigest();
  await stage.remember((readings) =>
    readings.map((reading) =>
      reading.policy.id === policy?.id
        ? { ...reading, statistics: { ...reading.statistics, nonCompliantCount: 9999 } }
        : reading,
    ),
  );
  stage.raise({ id: 'new-1', severity: 'error', name: 'vm-77', ...firstOfPeriod });
  expect(await stage.run()).toBe(1);

  const [message] = stage.posted();
  const texts = textsOf(message?.blocks);
  const [heading, counts] = texts[0]?.split('\n') ?? [];
  expect(heading).toBe(`:bar_chart: *Digest* · since ${thursdayText}`);
  expect(counts).toMatch(/^\d+ new alerts? \(.*\) · \d+ still active/);
  expect(texts.join('\n')).toContain('vm-77');
  expect(texts.join('\n')).toMatch(
    /\*Compliance\* · \d+% of protected volumes compliant .* · 1 policy changed/,
  );
  expect(texts.join('\n')).toContain(`*${policy?.name}*: 9999 → `);
  expect(texts.at(-1)).toBe(
    'Every day at 9:00 AM (Europe/Berlin) · Manage digests with `/belay digest`',
  );
  const buttons = buttonsOf(message?.blocks).map(({ action_id }) => action_id);
  expect(buttons).toEqual([...Array(3).fill('alerts.details'), 'command.run0']);

  expect(await stage.store.find(digest)).toMatchObject({
    coveredUntil: fridayNine,
    nextRunAt: new Date('2026-03-07T08:00:00Z'),
  });
});

it('compares compliance with the last digest', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'compliance'] });
  await stage.run();
  stage.at('2026-03-07T08:00:00Z');
  await stage.run();
  const [, second] = stage.posted();
  expect(second?.text).toMatch(
    `Digest · nothing to report since ${fridayText}\nCompliance unchanged\n`,
  );
  expect(textsOf(second?.blocks)[1]).toMatch(/^\*Compliance\* · .* · unchanged$/);
});

it('runs once, when due, with any number of processes', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['approvals'] });
  stage.at(addMinutes(fridayNine, -1));
  expect(await stage.run()).toBe(0);
  stage.at(fridayNine);
  const tried = await Promise.all([stage.look(), stage.look(), stage.look()]);
  expect(tried.toSorted()).toEqual([0, 0, 1]);
  expect(await stage.run()).toBe(0);
  expect(stage.posted()).toHaveLength(1);
});

it('runs once, late, for all missed runs', async () => {
  const stage = await startDigests();
  const digest = await stage.addDigest({ parts: ['approvals'] });
  stage.at('2026-03-09T12:30:00Z');
  expect(await stage.run()).toBe(1);
  expect(stage.posted().map(({ text }) => text)).toEqual([
    `Digest · nothing to report since ${thursdayText}\n:hourglass: Late: due ${fridayText}`,
  ]);
  expect(await stage.run()).toBe(0);
  expect((await stage.store.find(digest))?.nextRunAt).toEqual(new Date('2026-03-10T08:00:00Z'));
});

it('posts nothing if a silent digest has nothing to report', async () => {
  const stage = await startDigests();
  const silent = await stage.addDigest({ parts: ['approvals'], whenEmpty: 'silence' });
  await stage.run();
  expect(stage.posted()).toEqual([]);
  expect((await stage.store.find(silent))?.coveredUntil).toEqual(fridayNine);
});

it('warns before the token expires', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['token'] });
  stage.world.service = {
    ...stage.connected,
    tokenExpiresAt: new Date('2026-03-15T09:00:00Z'),
  };
  await stage.run();
  const [message] = stage.posted();
  expect(textsOf(message?.blocks)[1]).toMatch(
    /^:warning: \*API token\* · expires <!date.*> · An admin can enter a new token/,
  );
});

it.each(['documented', 'live'] as const)('reports the same on the %s dialect', async (dialect) => {
  const stage = await startDigests({ dialect });
  await stage.addDigest({ parts: ['new', 'open', 'cleared'] });
  const since = subHours(fridayNine, 24).toISOString();
  const alerts = stage.service.alerts(stage.portal.id);
  // The live dialect filters by status, which excludes alerts without one.
  const active = alerts.filter(({ status }) =>
    dialect === 'live' ? status === 'active' : status !== 'cleared',
  );
  const fresh = active.filter((one) => (one.raised_timestamp ?? one.updated_timestamp) > since);
  const cleared = alerts
    .filter(({ status }) => status === 'cleared')
    .filter((one) => (one.cleared_timestamp ?? one.updated_timestamp) > since);
  await stage.run();
  const [message] = stage.posted();
  const [head = ''] = textsOf(message?.blocks);
  const counts = [...head.matchAll(/(\d+) (new|still active|cleared)/g)];
  expect(Object.fromEntries(counts.map(([, count, what]) => [what, Number(count)]))).toEqual({
    new: fresh.length,
    cleared: cleared.length,
    'still active': active.length - fresh.length,
  });
});
