import { expect, it } from 'vitest';
import { countsWith, nineOn, startPolicies } from './start-policies.ts';

it('reports once that there are no policies anymore, even if silent, and that there are some again', async () => {
  const { policies, broken, addDigest, digestAt } = await startPolicies(2);
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  expect(await digestAt(nineOn(6))).toEqual([]);
  policies.clear();
  expect(await digestAt(nineOn(7))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · the service no longer lists any policies.',
  ]);
  expect(await digestAt(nineOn(8))).toEqual([]);
  broken.isBroken = true;
  expect((await digestAt(nineOn(9)))[1]).toContain('*Compliance* · unavailable');
  broken.isBroken = false;
  expect(await digestAt(nineOn(10))).toEqual([]);
  policies.set('p1', countsWith(0));
  expect(await digestAt(nineOn(11))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · 100% of protected volumes compliant (10 of 10) · 1 policy added · *Policy 1*: new, 10 compliant',
  ]);
});

it('reports it again if the message was dropped', async () => {
  const { policies, addDigest, digestAt, db } = await startPolicies(2);
  const { id } = await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  await digestAt(nineOn(6));
  policies.clear();
  const texts = await digestAt(nineOn(7));
  expect(texts).toHaveLength(2);
  await db
    .updateTable('digest')
    .set({ covered_until: new Date(nineOn(6)) })
    .where('id', '=', id)
    .execute();
  expect(await digestAt(nineOn(8))).toEqual(texts);
});
