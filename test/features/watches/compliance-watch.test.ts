import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { people } from '../../../playground/people.ts';
import { parseComplianceWatch } from '../../../src/features/watches/compliance/compliance-watch.ts';
import { createComplianceReader } from '../../../src/features/watches/compliance/read-due-compliance.ts';
import { createLogger } from '../../../src/logger.ts';
import { insertConnection } from '../../requests/store/rows.ts';
import { patienceMs } from '../../support/patience.ts';
import { buttonsOf, textsOf } from '../message-parts.ts';
import { startWatches } from './watch-stage.ts';

it.each([
  ['compliance Gold above 3', { policy: 'Gold', maxCount: 3 }],
  ['Compliance  Finance archive (7 years)  ABOVE 0', expect.objectContaining({ maxCount: 0 })],
  ['compliance “Above and beyond” above 12', { policy: 'Above and beyond', maxCount: 12 }],
  ['compliance above above 3', { policy: 'above', maxCount: 3 }],
])('reads %s', (text, read) => {
  expect(parseComplianceWatch(text)).toEqual(read);
});

it.each(['', 'all', 'severity:error', '"compliance" above 3', 'noncompliance'])(
  'leaves “%s” to the watches of alerts',
  (text) => expect(parseComplianceWatch(text)).toBeUndefined(),
);

it.each(['-1', '1.5', '1e9', 'ten', '1000001', '99999999'])('refuses above %s', (count) => {
  expect(parseComplianceWatch(`compliance Gold above ${count}`)).toEqual({
    problem: 'No watch was added. Use a whole number of volumes from 0 to 1,000,000.',
  });
});

const inOps = { teamId: 'T0HARBOR01', channelId: 'C0OPS00001' };

/** A service whose policy Gold has as many noncompliant volumes as `set` says. */
async function startWatched(options: Parameters<typeof startWatches>[0] = {}) {
  const stage = await startWatches(options);
  const gold = stage.policies().find(({ name }) => name === 'Gold');
  if (!gold) throw new Error('there is no policy Gold');
  return {
    ...stage,
    goldId: gold.id,
    set: (count: number | undefined) =>
      stage.setCompliance(gold.id, {
        compliant_count: 80,
        ...(count === undefined ? {} : { non_compliant_count: count }),
      }),
    rises: () => stage.said().filter((text) => text.includes('above the limit of')),
  };
}

it.each(['documented', 'live'] as const)(
  'posts once when the number rises above the limit, and again only after it fell (%s)',
  async (dialect) => {
    const { ana, set, rises, readCompliance, deliver } = await startWatched({ dialect });
    set(2);
    await ana.send('ops', '/belay watch compliance gold above 3');
    await ana.seeMessage('*Gold* has 2 noncompliant volumes now.');
    await deliver();
    await ana.seeMessage(
      'added a watch to this channel: more than 3 noncompliant volumes in *Gold*',
    );
    const counts = [3, 4, 9, undefined, 4, 3, 5];
    const posted = [];
    for (const count of counts) {
      set(count);
      await readCompliance();
      posted.push(rises().length);
    }
    expect(posted).toEqual([0, 1, 1, 1, 1, 1, 2]);
    const shown = await ana.seeMessage('*Gold* has 5 noncompliant volumes, above the limit of 3');
    expect(textsOf(shown.blocks)[1]).toContain('Before: 3');
    expect(buttonsOf(shown.blocks)).toMatchObject([{ action_id: 'compliance.show' }]);
  },
);

it('posts nothing for a number that is above the limit when the watch begins', async () => {
  const { ana, set, rises, readCompliance } = await startWatched();
  set(7);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('7 noncompliant volumes now, which is already above the limit');
  await readCompliance();
  expect(rises()).toEqual([]);
});

it('is listed, edited and ended in the channel', async () => {
  const { ana, ben, set, rises, readCompliance, deliver, complianceWatches } = await startWatched();
  set(2);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('Watch added.');
  await deliver();
  await ana.send('ops', '/belay watch');
  const list = await ana.seeMessage('1 watch in this channel');
  await ana.press(list, 'Edit');
  const form = await ana.seeDialog('Limit (noncompliant volumes)');
  await ana.submit(form, { maxCount: { input: '1' } });
  await vi.waitFor(async () => {
    const [watch] = await complianceWatches.list(inOps);
    expect(watch?.maxCount).toBe(1);
  }, patienceMs);
  await deliver();
  await ana.seeMessage('changed a watch in this channel: more than 1 noncompliant volume in');
  // The number was above the new limit already.
  expect(rises()).toEqual([]);
  await ana.send('ops', '/belay watch compliance gold above 1');
  await ana.seeMessage('This channel already has this watch.');

  await ben.send('ops', '/belay watch');
  await ben.press(await ben.seeMessage('1 watch in this channel'), 'End watch');
  await ben.seeMessage('Watch ended.');
  await deliver();
  await ana.seeMessage('ended a watch in this channel: more than 1 noncompliant volume in');
  set(9);
  await readCompliance();
  expect(rises()).toEqual([]);
});

it('changes its limit when it is typed again, by the creator and those who may', async () => {
  const { ana, ben, approvers, set, complianceWatches } = await startWatched();
  approvers.splice(0, 1, people.cleo);
  set(2);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('Watch added.');
  const limit = async () => (await complianceWatches.list(inOps))[0]?.maxCount;
  await ben.send('ops', '/belay watch compliance Gold above 1000000');
  await ben.seeMessage('Only the creator of a watch, approvers and admins can change or end it.');
  expect(await limit()).toBe(3);
  await ben.send('ops', '/belay watch compliance Gold above 3');
  await ben.seeMessage('This channel already has this watch.');
  await ana.send('ops', '/belay watch compliance Gold above 4');
  await ana.seeMessage('Limit changed. This channel already had a watch for this policy.');
  expect(await limit()).toBe(4);
  approvers.push(people.ben);
  await ben.send('ops', '/belay watch compliance Gold above 5');
  await ben.seeMessage('Limit changed.');
  expect(await limit()).toBe(5);
});

it.each([
  ['finance', '3 policies match “finance”. Enter more of the name, or the ID. No watch was added.'],
  ['glod', 'No policy has the name or ID “glod”. Did you mean “Gold”? No watch was added.'],
  ['<!channel>', 'No policy has the name or ID'],
])('asks which policy “%s” is', async (typed, answer) => {
  const { ana, complianceWatches } = await startWatched();
  await ana.send('ops', `/belay watch compliance ${typed} above 3`);
  await ana.seeMessage(answer);
  expect(await complianceWatches.list(inOps)).toEqual([]);
});

it('takes an ID where the service lists no policies', async () => {
  const { ana, goldId, set, rises, readCompliance, deliver } = await startWatched({
    listsPolicies: false,
  });
  set(2);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('The service has no data for a policy with the ID “Gold”.');
  await ana.send('ops', `/belay watch compliance ${goldId} above 3`);
  await ana.seeMessage('has 2 noncompliant volumes now.');
  await deliver();
  set(4);
  await readCompliance();
  expect(rises()).toHaveLength(1);
});

it('takes the name of a known policy where the service lists none', async () => {
  const { ana, goldId, set, policyCatalog, connectionId } = await startWatched({
    listsPolicies: false,
  });
  set(2);
  await policyCatalog.remember({
    teamId: inOps.teamId,
    connectionId,
    source: 'alert',
    at: new Date(),
    policies: [{ id: goldId, name: 'Gold' }],
  });
  await ana.send('ops', '/belay watch compliance gold above 3');
  await ana.seeMessage('*Gold* has 2 noncompliant volumes now.');
});

it('is resumed when somebody adds the same watch again', async () => {
  const { ana, slack, set, rises, deliver, readCompliance, complianceWatches } =
    await startWatched();
  set(2);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('Watch added.');
  slack.failNext('chat.postMessage', 'not_in_channel');
  await deliver();
  expect(await complianceWatches.list(inOps)).toMatchObject([
    { pausedReason: expect.stringContaining('Invite') },
  ]);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  const answer = await ana.seeMessage('This channel already has this watch.');
  expect(answer.text).toContain('1 paused compliance watch resumed.');
  expect(await complianceWatches.list(inOps)).toMatchObject([{ pausedReason: undefined }]);
  set(4);
  await readCompliance();
  expect(rises()).toHaveLength(1);
});

it('posts a rise whose message was dropped with the channel, once it is resumed', async () => {
  const { ana, slack, set, rises, deliver, readCompliance, complianceWatches } =
    await startWatched();
  set(2);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('Watch added.');
  await deliver();
  set(4);
  slack.failNext('chat.postMessage', 'not_in_channel');
  await readCompliance();
  expect(await complianceWatches.list(inOps)).toMatchObject([
    { pausedReason: expect.stringContaining('Invite') },
  ]);
  await ana.send('ops', '/belay watch');
  await ana.seeMessage('1 paused compliance watch resumed.');
  expect(rises()).toEqual([]);
  await readCompliance();
  await readCompliance();
  expect(rises()).toHaveLength(1);
});

it('explains the command', async () => {
  const { ana } = await startWatched();
  await ana.send('ops', '/belay watch compliance Gold');
  await ana.seeMessage(
    'Name a policy and a number of volumes: `/belay watch compliance Gold above 3`',
  );
});

it('reads again after a failure, without a message about it', async () => {
  const { ana, set, rises, service, readCompliance } = await startWatched();
  set(0);
  await ana.send('ops', '/belay watch compliance Gold above 0');
  await ana.seeMessage('Watch added.');
  set(1);
  service.setFault({ kind: 'status', status: 500 });
  await readCompliance();
  expect(rises()).toEqual([]);
  service.setFault(undefined);
  await readCompliance();
  expect(rises()).toHaveLength(1);
});

type Watched = Awaited<ReturnType<typeof startWatched>>;

it.each([
  [
    'the policy is gone',
    ({ service, portal, goldId }: Watched) => service.removePolicy(portal.id, goldId),
  ],
  ['the service has no number', ({ set }: Watched) => set(undefined)],
  [
    'the service fails',
    ({ service }: Watched) => service.setFault({ kind: 'status', status: 500 }),
  ],
])('says in the list since when the count is missing if %s', async (_, lose) => {
  const stage = await startWatched();
  const { ana, set, readCompliance } = stage;
  set(2);
  await ana.send('ops', '/belay watch compliance Gold above 3');
  await ana.seeMessage('Watch added.');
  await readCompliance();
  lose(stage);
  await readCompliance();
  await ana.send('ops', '/belay watch');
  const list = await ana.seeMessage('1 watch in this channel');
  expect(list.text).not.toContain('Not up to date');
  await readCompliance();
  await ana.send('ops', '/belay watch');
  const warned = await ana.seeMessage('Not up to date since');
  expect(warned.text).toContain("Belay can't read the number of noncompliant volumes.");
  expect(warned.text).toContain('2 noncompliant');
});

it('is read while the service of another workspace is slow', async () => {
  const { ana, db, set, rises, deliver, complianceWatches, openService, clock } =
    await startWatched();
  set(0);
  await ana.send('ops', '/belay watch compliance Gold above 0');
  await ana.seeMessage('Watch added.');
  set(1);
  const [{ policy } = { policy: { id: '', name: '' } }] = await complianceWatches.list(inOps);
  const place = {
    teamId: 'T0SLOW',
    originId: await insertConnection(db, 'T0SLOW'),
    at: new Date(clock().getTime() - 60 * 60_000),
  };
  for (const channelId of Array.from({ length: 10 }, (_, index) => `C${index}`)) {
    const watch = { id: randomUUID(), channelId, policy, maxCount: 0, count: 0, createdBy: 'U1' };
    await complianceWatches.create({ ...watch, ...place }, { max: 20 });
  }
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const reader = createComplianceReader({
    complianceWatches,
    clock,
    log: createLogger('silent'),
    openService: (teamId) => (teamId === 'T0SLOW' ? promise : openService()),
  });
  const reading = reader.finish();
  await vi.waitFor(async () => {
    await deliver();
    expect(rises()).toHaveLength(1);
  }, patienceMs);
  resolve(undefined);
  await reading;
});
