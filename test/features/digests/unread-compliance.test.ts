import { expect, it } from 'vitest';
import { createComplianceSampler } from '../../../src/features/compliance/sample-compliance.ts';
import { countsWith, nightOf, nineOn, startPolicies } from './start-policies.ts';

/** After a digest on the 6th in which all policies were compliant, with daily samples at night. */
async function startReported() {
  const stage = await startPolicies(3);
  await stage.addDigest({ parts: ['compliance'] });
  const sampleAt = async (at: string) => {
    stage.at(at);
    await createComplianceSampler(stage.dependencies).finish();
  };
  await stage.digestAt(nineOn(6));
  return { ...stage, sampleAt };
}

const changed = [
  ':bar_chart: *Digest* · since then',
  '*Compliance* · 76% of protected volumes compliant (23 of 30) · 1 policy changed · *Policy 0*: 0 → 7 noncompliant, 10 → 3 compliant, worse',
];

it('reports a change in the next digest if compliance could not be read', async () => {
  const { policies, broken, sampleAt, digestAt } = await startReported();
  policies.set('p0', countsWith(7));
  await sampleAt(nightOf(7));
  broken.isBroken = true;
  for (const date of [7, 8, 9, 10]) {
    expect((await digestAt(nineOn(date)))[1]).toContain('*Compliance* · unavailable');
  }
  broken.isBroken = false;
  await sampleAt(nightOf(11));
  expect(await digestAt(nineOn(11))).toEqual(changed);
  expect((await digestAt(nineOn(12)))[1]).toMatch(/ · unchanged$/);
});

it('reports a change in the next digest if the policy could not be read', async () => {
  const { policies, sampleAt, digestAt } = await startReported();
  policies.set('p0', countsWith(7));
  await sampleAt(nightOf(7));
  policies.set('p0', 500);
  for (const date of [7, 8, 9, 10]) {
    expect((await digestAt(nineOn(date)))[1]).toMatch(/ · 1 policy unavailable$/);
  }
  policies.set('p0', countsWith(7));
  expect(await digestAt(nineOn(11))).toEqual(changed);
});

it('reports policies added and removed while compliance could not be read', async () => {
  const { policies, broken, sampleAt, digestAt } = await startReported();
  policies.delete('p0');
  policies.set('p3', countsWith(1));
  await sampleAt(nightOf(7));
  broken.isBroken = true;
  await digestAt(nineOn(7));
  broken.isBroken = false;
  expect(await digestAt(nineOn(8))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · 96% of protected volumes compliant (29 of 30) · 1 policy added, 1 policy removed · *Policy 0*: removed · `/belay compliance`',
  ]);
});

it('does not report a removed policy twice', async () => {
  const { policies, broken, digestAt } = await startReported();
  policies.delete('p0');
  expect((await digestAt(nineOn(7)))[1]).toMatch(/ · \*Policy 0\*: removed$/);
  broken.isBroken = true;
  await digestAt(nineOn(8));
  broken.isBroken = false;
  expect((await digestAt(nineOn(9)))[1]).toMatch(/ · unchanged$/);
});

it('reports the removal of a policy that could not be read before', async () => {
  const { policies, digestAt } = await startReported();
  policies.set('p0', 500);
  await digestAt(nineOn(7));
  policies.delete('p0');
  expect(await digestAt(nineOn(8))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · 100% of protected volumes compliant (20 of 20) · 1 policy removed · *Policy 0*: removed',
  ]);
});

it("reports a new policy once, even if it can't be read yet", async () => {
  const { policies, digestAt } = await startReported();
  policies.set('p3', 500);
  expect((await digestAt(nineOn(7)))[1]).toMatch(/ · \*Policy 3\*: new$/);
  policies.set('p3', countsWith(2));
  expect(await digestAt(nineOn(8))).toEqual([
    ':bar_chart: *Digest* · since then',
    '*Compliance* · 95% of protected volumes compliant (38 of 40) · 1 policy without earlier data · *Policy 3*: 2 noncompliant, 8 compliant, no earlier data',
  ]);
  expect((await digestAt(nineOn(9)))[1]).toMatch(/ · unchanged$/);
});

it('does not report a policy as new if it could not be read for the first samples', async () => {
  const { policies, addDigest, digestAt, dependencies, at } = await startPolicies(3);
  await addDigest({ parts: ['compliance'] });
  policies.set('p0', 500);
  at(nightOf(5));
  await createComplianceSampler(dependencies).finish();
  policies.set('p0', countsWith(0));
  expect(await digestAt(nineOn(6))).toEqual([
    ':white_check_mark: *Digest* · nothing to report since then',
    '*Compliance* · 100% of protected volumes compliant (30 of 30) · 1 policy without earlier data · *Policy 0*: 10 compliant, no earlier data',
  ]);
});

it('compares a first digest with the last known counts, not with a later failure', async () => {
  const { policies, addDigest, digestAt, dependencies, at } = await startPolicies(3);
  await addDigest({ parts: ['compliance'] });
  at(nightOf(4));
  await createComplianceSampler(dependencies).finish();
  policies.set('p0', 500);
  at(nightOf(5));
  await createComplianceSampler(dependencies).finish();
  policies.set('p0', countsWith(7));
  expect(await digestAt(nineOn(6))).toEqual(changed);
});
