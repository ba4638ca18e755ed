import { addMinutes } from 'date-fns/addMinutes';
import { addSeconds } from 'date-fns/addSeconds';
import { expect, it } from 'vitest';
import { serveAll } from '../../../src/database/served-teams.ts';
import { isReportingPolicies } from '../../../src/features/digests/store/digest-store.ts';
import { createPolicyObserver } from '../../../src/features/policy-watches/observe-policies.ts';
import { createObservationStore } from '../../../src/features/policy-watches/store/observation-store.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests } from './start-digests.ts';

const intervalMs = 15 * 60_000;

/** A digest of policy changes on Fridays and Saturdays at nine, in a workspace without watches. */
async function startReporting(whenEmpty: 'heartbeat' | 'silence' = 'heartbeat') {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['policies'], weekdays: [5, 6], whenEmpty });
  const observations = createObservationStore(stage.db, {
    enqueueMessages,
    isServed: serveAll,
    isReported: isReportingPolicies,
  });
  const { service, portal } = stage;
  const observe = () =>
    createPolicyObserver({
      ...stage.dependencies,
      observations,
      policyIntervalMs: intervalMs,
    }).finish();
  for (const minute of [-25 * 60, -120]) {
    stage.at(addMinutes(fridayNine, minute));
    await observe();
  }
  return {
    ...stage,
    observe,
    change: (name: string, change: Parameters<typeof service.changePolicy>[2]) => {
      const policy = stage.policies().find((one) => one.name === name);
      service.changePolicy(portal.id, policy?.id ?? '', change);
    },
    /** The lines of the digest posted at that time; none if it posts none. */
    async digestAt(at: Date) {
      const before = stage.posted().length;
      stage.at(at);
      await stage.run();
      return textsOf(stage.posted()[before]?.blocks).join('\n').split('\n');
    },
  };
}

it('tells each change in one digest, weaker first, and no other', async () => {
  const { at, observe, change, digestAt } = await startReporting();
  change('Bronze', { name: 'Bronze plus' });
  change('Silver', { sla_sets: [] });
  at(addMinutes(fridayNine, -60));
  await observe();
  const friday = await digestAt(fridayNine);
  expect(friday).toContain('*Policy changes* · 2 · 1 weakens protection');
  const changes = friday.filter((line) => line.startsWith('• '));
  expect(changes).toEqual([
    expect.stringMatching(
      /^• \*Silver\* · 🔻 \*Weaker\* · Schedule removed: .* · outside Belay · found <!/,
    ),
    expect.stringMatching(
      /^• \*Bronze plus\* · ⚪ \*Neutral\* · Name: Bronze → Bronze plus \(Policy\) · outside/,
    ),
  ]);
  at(addMinutes(fridayNine, 23 * 60));
  await observe();
  const saturday = await digestAt(addMinutes(fridayNine, 24 * 60));
  expect(saturday.join('\n')).toContain('No policy changes');
  expect(saturday.join('\n')).not.toContain('Silver');
});

it('leaves a change of the last moments to the next digest', async () => {
  const { at, observe, change, digestAt } = await startReporting('silence');
  change('Bronze', { name: 'Bronze plus' });
  at(addSeconds(fridayNine, -20));
  await observe();
  expect(await digestAt(fridayNine)).toEqual(['']);
  const saturday = await digestAt(addMinutes(fridayNine, 24 * 60));
  expect(saturday.join('\n')).toContain('Bronze plus');
});

it('shows a few of many changes, and the command that lists all', async () => {
  const { at, observe, change, digestAt, policies } = await startReporting();
  const names = policies().map(({ name }) => name);
  for (const name of names) change(name, { name: `${name} plus` });
  at(addMinutes(fridayNine, -60));
  await observe();
  const digest = await digestAt(fridayNine);
  expect(digest).toContain(`*Policy changes* · ${names.length}`);
  const changes = digest.filter((line) => line.startsWith('• '));
  expect(changes).toHaveLength(4);
  expect(changes.at(-1)).toBe(`• ${names.length - 3} more · \`/belay policies changes\``);
});

it("doesn't claim that nothing changed if the policies couldn't be read", async () => {
  const { at, observe, service, digestAt } = await startReporting('silence');
  service.setFault({ kind: 'status', status: 500 });
  at(addMinutes(fridayNine, -90));
  await observe();
  const digest = await digestAt(fridayNine);
  expect(digest.join('\n')).toMatch(
    /:warning: Belay hasn't been able to read policies since <!date.* are reported later\./,
  );
  expect(digest.join('\n')).not.toMatch(/no policy changes/i);
});

it("doesn't claim that nothing changed after Belay was stopped for a day", async () => {
  const { at, observe, digestAt } = await startReporting('silence');
  const readAt = addMinutes(fridayNine, -60);
  at(readAt);
  await observe();
  expect(await digestAt(fridayNine)).toEqual(['']);
  const saturday = await digestAt(addMinutes(fridayNine, 24 * 60));
  expect(saturday.join('\n')).toContain(`read policies since <!date^${+readAt / 1000}^`);
  expect(saturday.join('\n')).not.toMatch(/no policy changes/i);
});

it("doesn't claim that nothing changed while no digest observed policies", async () => {
  const { db, at, observe, change, digestAt } = await startReporting('silence');
  const setPaused = (paused: Date | null) =>
    db
      .updateTable('digest')
      .set({ paused_at: paused, paused_reason: paused && 'gone' })
      .execute();
  await setPaused(fridayNine);
  await observe();
  change('Silver', { sla_sets: [] });
  await setPaused(null);
  const resumedAt = addMinutes(fridayNine, -60);
  at(resumedAt);
  await observe();
  const friday = (await digestAt(fridayNine)).join('\n');
  expect(friday).toContain(`Belay has read policies since <!date^${+resumedAt / 1000}^`);
  expect(friday).toContain('Changes made outside Belay before then are unknown.');
  expect(friday).not.toMatch(/nothing to report|no policy changes/i);
  at(addMinutes(fridayNine, 23 * 60));
  await observe();
  expect(await digestAt(addMinutes(fridayNine, 24 * 60))).toEqual(['']);
});
