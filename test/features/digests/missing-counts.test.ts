import { expect, it } from 'vitest';
import { countsWith, nineOn, startPolicies } from './start-policies.ts';

it('excludes a policy with partial counts from the share, and shows what is known', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(3);
  policies.set('p0', { non_compliant_count: 500 });
  await addDigest({ parts: ['compliance'] });
  const summary =
    '*Compliance* · 100% of protected volumes compliant (20 of 20) · 1 policy with incomplete data (500 noncompliant)';
  expect((await digestAt(nineOn(6)))[1]).toBe(`${summary} · no earlier data to compare`);
  expect((await digestAt(nineOn(7)))[1]).toBe(`${summary} · unchanged`);
});

it('reports once that a policy has no data anymore, even if silent', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(3);
  policies.set('p0', countsWith(7));
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  expect(await digestAt(nineOn(6))).toEqual([]);
  policies.set('p0', 404);
  expect(await digestAt(nineOn(7))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · 100% of protected volumes compliant (20 of 20) · 1 policy without data · 1 policy changed · *Policy 0*: no data anymore, last 7 noncompliant, 3 compliant',
  ]);
  expect(await digestAt(nineOn(8))).toEqual([]);
  policies.set('p0', countsWith(4));
  expect(await digestAt(nineOn(9))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · 86% of protected volumes compliant (26 of 30) · 1 policy without earlier data · *Policy 0*: 4 noncompliant, 6 compliant, no earlier data',
  ]);
});

it('does not report that all policies are compliant if none has statistics any more', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(2);
  await addDigest({ parts: ['compliance'] });
  await digestAt(nineOn(6));
  for (const id of policies.keys()) policies.set(id, 404);
  const [head, summary] = await digestAt(nineOn(7));
  expect(head).toBe(':bar_chart: *Digest* · since then');
  expect(summary).toBe(
    '*Compliance* · No percentage available · 2 policies without data · 2 policies changed · *Policy 0*: no data anymore, last 10 compliant · `/belay compliance`',
  );
  expect(await digestAt(nineOn(8))).toEqual([
    'Compliance unchanged',
    '*Compliance* · No percentage available · 2 policies without data · unchanged',
  ]);
});

it('reports a policy whose counts were missing before as a change', async () => {
  const { policies, addDigest, digestAt } = await startPolicies(2);
  policies.set('p0', countsWith(7));
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  await digestAt(nineOn(6));
  policies.set('p0', { compliant_count: 3 });
  expect(await digestAt(nineOn(7))).toEqual([
    ':bar_chart: *Digest* · since then',
    "*Compliance* · 100% of protected volumes compliant (10 of 10) · 1 policy with incomplete data · 1 policy with counts that can't be compared",
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
    '*Compliance* · 100% of protected volumes compliant (20 of 20) in 2 policies · 1 policy with incomplete data (3 noncompliant) · 1 policy without data · 1 policy unavailable · no earlier data to compare',
  );
});
