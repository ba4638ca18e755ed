import { expect, it } from 'vitest';
import { countsWith, nineOn, startPolicies } from './start-policies.ts';

it('excludes a policy with partial counts from the share, and shows what is known', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(3);
  policies.set('p0', { non_compliant_count: 500 });
  await addDigest({ parts: ['compliance'] });
  const summary =
    '*Compliance* · 100% compliant (20 of 20 volumes), not counting 1 policy that tells only a part of its counts (500 non-compliant)';
  expect((await digestAt(nineOn(6)))[1]).toBe(`${summary} · no earlier reading to compare with`);
  expect((await digestAt(nineOn(7)))[1]).toBe(`${summary} · as it was`);
});

it('reports once that a policy has no statistics any more, even if silent', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(3);
  policies.set('p0', countsWith(7));
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  expect(await digestAt(nineOn(6))).toEqual([]);
  policies.set('p0', 404);
  expect(await digestAt(nineOn(7))).toEqual([
    'Worth a look:',
    '*Compliance* · 100% compliant (20 of 20 volumes), not counting 1 policy that has no statistics · 1 policy changed',
    '• *Policy 0*: no statistics any more, last 7 non-compliant, 3 compliant',
  ]);
  expect(await digestAt(nineOn(8))).toEqual([]);
  policies.set('p0', countsWith(4));
  expect(await digestAt(nineOn(9))).toEqual([
    'Worth a look:',
    '*Compliance* · 86% compliant (26 of 30 volumes) · 1 policy with no earlier numbers',
    '• *Policy 0*: 4 non-compliant, 6 compliant, no earlier numbers',
  ]);
});

it('does not report that all policies are compliant if none has statistics any more', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(2);
  await addDigest({ parts: ['compliance'] });
  await digestAt(nineOn(6));
  for (const id of policies.keys()) policies.set(id, 404);
  const [head, summary] = await digestAt(nineOn(7));
  expect(head).toBe('Worth a look:');
  expect(summary).toBe(
    '*Compliance* · the counts do not allow a share in percent · 2 policies have no statistics · 2 policies changed',
  );
  expect(await digestAt(nineOn(8))).toEqual([
    ':heavy_check_mark: Nothing to report, compliance is as it was.',
    '*Compliance* · the counts do not allow a share in percent · 2 policies have no statistics · as it was',
  ]);
});

it('reports a policy whose counts were missing before as a change', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(2);
  policies.set('p0', countsWith(7));
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  await digestAt(nineOn(6));
  policies.set('p0', { compliant_count: 3 });
  expect(await digestAt(nineOn(7))).toEqual([
    'Worth a look:',
    '*Compliance* · 100% compliant (10 of 10 volumes), not counting 1 policy that tells only a part of its counts · 1 policy tells other counts than before',
  ]);
  expect(await digestAt(nineOn(8))).toEqual([]);
});

it('lists policies without counts beside unread ones', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(5);
  policies.set('p0', { non_compliant_count: 3 });
  policies.set('p1', 404);
  policies.set('p2', 500);
  await addDigest({ parts: ['compliance'] });
  expect((await digestAt(nineOn(6)))[1]).toBe(
    '*Compliance* · 100% compliant (20 of 20 volumes) in the 4 policies that were read, not counting 1 policy that tells only a part of its counts (3 non-compliant) and 1 policy that has no statistics · no earlier reading to compare with · 1 policy could not be read',
  );
});
