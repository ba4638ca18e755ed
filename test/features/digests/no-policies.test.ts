import { expect, it } from 'vitest';
import { keptWith, nineOn, startPolicies } from './start-policies.ts';

it('reports once that all policies are gone, silent or not, and that some are back', async () => {
  const { policies, broken, addDigest, tell } = await startPolicies(2);
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  expect(await tell(nineOn(6))).toEqual([]);
  policies.clear();
  expect(await tell(nineOn(7))).toEqual([
    'Worth a look:',
    '*Compliance* · the service no longer lists any policies.',
  ]);
  expect(await tell(nineOn(8))).toEqual([]);
  broken.isBroken = true;
  expect((await tell(nineOn(9)))[1]).toContain('could not be read now');
  broken.isBroken = false;
  expect(await tell(nineOn(10))).toEqual([]);
  policies.set('p1', keptWith(0));
  expect(await tell(nineOn(11))).toEqual([
    'Worth a look:',
    '*Compliance* · 100% compliant (10 of 10 volumes) · 1 policy added',
    '• *Policy 1*: new, 10 compliant',
  ]);
});

it('reports it again if the message was dropped', async () => {
  const { policies, addDigest, tell, db } = await startPolicies(2);
  const { id } = await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  await tell(nineOn(6));
  policies.clear();
  const said = await tell(nineOn(7));
  expect(said).toHaveLength(2);
  await db
    .updateTable('digest')
    .set({ covered_until: new Date(nineOn(6)) })
    .where('id', '=', id)
    .execute();
  expect(await tell(nineOn(8))).toEqual(said);
});
