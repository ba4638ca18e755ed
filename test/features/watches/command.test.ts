import { describe, expect, it } from 'vitest';
import { buttonTexts } from '../../support/ask.ts';
import { startedAt } from './poll-stage.ts';
import { startWatches } from './watch-stage.ts';

describe('/belay watch', () => {
  it('creates a watch, announces it in the channel and posts new alerts', async () => {
    const { ana, ben, raise, deliver, poll } = await startWatches();
    await ana.send('ops', '/belay watch severity:error volume');
    await ana.seeMessage('The watch is set up');
    await deliver();
    const notice = await ben.seeMessage('set up a watch here');
    expect(notice.text).toContain('new alerts (severity error · with “volume”)');
    raise('a1');
    raise('mild', { severity: 'warning' });
    await poll();
    const posted = await ben.seeMessage('volume a1');
    expect(buttonTexts(posted)).toEqual(['Details']);
    expect(JSON.stringify(ben.snapshot())).not.toContain('volume mild');
  });

  it('shows a note added from the message without waiting for a poll', async () => {
    const { ana, ben, raise, poll, deliver } = await startWatches({ dialect: 'live' });
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('The watch is set up');
    raise('a1');
    await poll();
    await poll();
    await ben.press(await ben.seeMessage('volume a1'), 'Details');
    await ben.press(await ben.seeDialog('volume a1'), 'Note…');
    const form = await ben.seeDialog('an empty field removes the note');
    await ben.submit(form, { note: { input: 'Ben is on it' } });
    await ben.seeMessage('is saved:');
    await deliver();
    await deliver();
    await ana.seeMessage('Note: “Ben is on it”');
  });

  it('shows a note from the portal when somebody opens the details', async () => {
    const { ana, ben, raise, poll, deliver } = await startWatches({ dialect: 'live' });
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('The watch is set up');
    raise('a1', { updated_timestamp: startedAt.toISOString() });
    await poll();
    await poll();
    raise('a1', { updated_timestamp: startedAt.toISOString(), notes: 'Written in the portal' });
    await ben.press(await ben.seeMessage('volume a1'), 'Details');
    await ben.seeDialog('Written in the portal');
    await deliver();
    await deliver();
    await ana.seeMessage('Note: “Written in the portal”');
  });

  it('accepts a severity that the service has, and refuses one that it does not have', async () => {
    const { ana, raise, watchesOfOps } = await startWatches();
    raise('a1', { severity: 'notice' });
    await ana.send('ops', '/belay watch severity:critical');
    await ana.seeMessage('Belay knows no severity `critical`. Known so far: `error`, `warning`.');
    await ana.send('ops', '/belay watch severity:Notice');
    await ana.seeMessage('The watch is set up');
    expect(await watchesOfOps()).toMatchObject([{ search: { severities: ['notice'] } }]);
  });

  it('posts to direct messages with Belay', async () => {
    const { ana, ben, raise, poll } = await startWatches();
    await ana.send('Belay', '/belay watch all');
    await ana.seeMessage('The watch is set up');
    raise('a1');
    await poll();
    await poll();
    await ana.seeMessage('volume a1');
    expect(JSON.stringify(ben.snapshot())).not.toContain('volume a1');
  });

  it("says how to invite Belay if it can't post", async () => {
    const { ana, slack, watchesOfOps } = await startWatches();
    slack.failNext('conversations.info', 'channel_not_found');
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('/invite @Belay');
    expect(await watchesOfOps()).toEqual([]);
  });

  it.each([
    ['status:cleared', 'shows new alerts and then what becomes of them'],
    ['since:2d', 'from now on'],
    ['severity:eror since:99x', 'A watch shows what is new from now on'],
    ['sort:raised', 'as they come'],
    ['severty:error', 'Did you mean'],
  ])('refuses the filter %s with a reason', async (filter, reason) => {
    const { ana, watchesOfOps } = await startWatches();
    await ana.send('ops', `/belay watch ${filter}`);
    await ana.seeMessage(reason);
    expect(await watchesOfOps()).toEqual([]);
  });

  it('reports a duplicate filter, in any order', async () => {
    const { ana } = await startWatches();
    await ana.send('ops', '/belay watch severity:error,warning');
    await ana.seeMessage('The watch is set up');
    await ana.send('ops', '/belay watch severity:warning,error');
    await ana.seeMessage('There is such a watch here already');
  });

  it('creates no watch if the service fails or is not connected', async () => {
    const { ana, service, world, watchesOfOps } = await startWatches();
    service.setFault({ kind: 'status', status: 500 });
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('It broke.');
    world.service = undefined;
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage("isn't connected to the data-protection service");
    expect(await watchesOfOps()).toEqual([]);
  });

  it.each(['list', 'End', 'help', 'new', 'add', 'delete'])(
    'lists the watches for the word %s',
    async (word) => {
      const { ana, watchesOfOps } = await startWatches();
      await ana.send('ops', `/belay watch ${word}`);
      await ana.seeMessage('There is no watch here');
      expect(await watchesOfOps()).toEqual([]);
    },
  );

  it('refuses guests', async () => {
    const { gus, watchesOfOps } = await startWatches();
    await gus.send('ops', '/belay watch all');
    await gus.seeMessage('not open to guests');
    expect(await watchesOfOps()).toEqual([]);
  });
});

describe('the list of watches', () => {
  it('shows filter, creator and count, with buttons only for people with permission', async () => {
    const { ana, ben, raise, poll } = await startWatches();
    await ben.send('ops', '/belay watch type:policy_violated');
    await ben.seeMessage('The watch is set up');
    raise('a1');
    await poll();
    await ana.send('ops', '/belay watch');
    const foreign = await ana.seeMessage('One watch here');
    expect(foreign.text).toContain('New alerts (type policy violated)');
    expect(foreign.text).toContain('1 alert posted');
    expect(buttonTexts(foreign)).toEqual([]);
    await ben.send('ops', '/belay watch');
    expect(buttonTexts(await ben.seeMessage('One watch here'))).toEqual(['Edit…', 'End']);
  });

  it('edits a watch in a modal that stays open while the filter is invalid', async () => {
    const { ana, deliver, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch severity:error policy:"Gold 2"');
    await ana.seeMessage('The watch is set up');
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('One watch here'), 'Edit…');
    const form = await ana.seeDialog('Which alerts?');
    expect(JSON.stringify(form.blocks)).toContain('severity:error policy:\\"Gold 2\\"');
    await ana.submit(form, { filter: { input: 'severity:eror' } });
    await ana.submit(await ana.seeDialog('knows no severity'), { filter: { input: '' } });
    await ana.see(({ views }) => (views.length === 0 ? true : undefined));
    await expect.poll(async () => (await watchesOfOps())[0]?.changedBy).toBe(ana.slackUserId);
    await deliver();
    await deliver();
    const posted = await ana.seeMessage('changed a watch here');
    expect(posted.text).toContain('all new alerts');
  });

  it('opens the modal with the longest possible filter', async () => {
    const { ana, watchesOfOps } = await startWatches();
    const words = Array.from({ length: 15 }, (_, index) => `${index}`.padEnd(100, 'w'));
    await ana.send('ops', `/belay watch ${words.join(' ')}`);
    await ana.seeMessage('The watch is set up');
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('One watch here'), 'Edit…');
    const form = await ana.seeDialog('Which alerts?');
    const [shown] = form.blocks.filter((block) => block.type === 'input');
    expect(shown).toMatchObject({ element: { initial_value: words.join(' ') } });
    await ana.submit(form, { filter: { input: `${words.join(' ')} x` } });
    await expect.poll(async () => (await watchesOfOps())[0]?.search.words).toEqual([...words, 'x']);
  });

  it('accepts values of the current filter, even if no list has shown them', async () => {
    const { ana, store, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch severity:error');
    await ana.seeMessage('The watch is set up');
    const [watch] = await watchesOfOps();
    if (!watch) throw new Error('no watch');
    const search = { ...watch.search, severities: ['notice'], types: ['quota_exhausted'] };
    await store.change({ ...watch, search, by: ana.slackUserId, at: watch.createdAt });
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('One watch here'), 'Edit…');
    const form = await ana.seeDialog('Which alerts?');
    const typed = 'severity:notice type:quota_exhausted vm-12';
    await ana.submit(form, { filter: { input: typed } });
    await expect
      .poll(async () => (await watchesOfOps())[0]?.search)
      .toMatchObject({ severities: ['notice'], words: ['vm-12'] });
  });

  it("accepts known values even if they don't all fit in the form", async () => {
    const { ana, knownValues, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch severity:error');
    await ana.seeMessage('The watch is set up');
    const [{ teamId } = { teamId: '' }] = await watchesOfOps();
    const names = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(30, 'x'));
    const alerts = names.map((name) => ({ id: name, severity: name, type: name, otherFields: {} }));
    await knownValues.add(teamId, alerts, startedAt);
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('One watch here'), 'Edit…');
    const form = await ana.seeDialog('Which alerts?');
    await ana.submit(form, { filter: { input: 'severity:eror' } });
    const still = await ana.seeDialog('knows no severity');
    await ana.submit(still, { filter: { input: `severity:${names[39]}` } });
    await expect
      .poll(async () => (await watchesOfOps())[0]?.search.severities)
      .toEqual([names[39]]);
  });

  it('ends a watch once, also for an admin', async () => {
    const { ana, cleo, deliver, watchesOfOps, raise, poll, said } = await startWatches();
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('The watch is set up');
    await cleo.send('ops', '/belay watch');
    const list = await cleo.seeMessage('One watch here');
    expect(JSON.stringify(list.blocks)).toContain(
      'All new alerts. Belay stops posting them here. What was posted stays.',
    );
    await cleo.press(list, 'End');
    await cleo.seeMessage('The watch has ended');
    await cleo.press(list, 'End');
    await cleo.seeMessage('has ended already');
    expect(await watchesOfOps()).toEqual([]);
    await deliver();
    await deliver();
    await ana.seeMessage('ended a watch here');
    raise('a1');
    await poll();
    expect(said().join()).not.toContain('volume a1');
  });

  it('does not end a watch that was changed after the list was shown', async () => {
    const { ana, cleo, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('The watch is set up');
    await cleo.send('ops', '/belay watch');
    const old = await cleo.seeMessage('One watch here');
    await cleo.press(old, 'Edit…');
    await cleo.submit(await cleo.seeDialog('Which alerts?'), {
      filter: { input: 'severity:error' },
    });
    await expect
      .poll(async () => (await watchesOfOps())[0]?.search)
      .toMatchObject({ severities: ['error'] });
    await cleo.press(old, 'End');
    await cleo.seeMessage('changed after the list was made. Nothing was ended.');
    expect(await watchesOfOps()).toHaveLength(1);

    await cleo.send('ops', '/belay watch');
    await cleo.press(await cleo.seeMessage('changed by'), 'End');
    await cleo.seeMessage('The watch has ended');
    expect(await watchesOfOps()).toEqual([]);
  });

  it('limits a channel to 20 watches and lists them all', async () => {
    const { ana, watchesOfOps } = await startWatches();
    for (let index = 1; index <= 20; index += 1) {
      await ana.send('ops', `/belay watch vm-${index}`);
      await expect.poll(async () => (await watchesOfOps()).length).toBe(index);
    }
    await ana.send('ops', '/belay watch one-more');
    await ana.seeMessage('There are 20 watches here');
    await ana.send('ops', '/belay watch');
    const list = await ana.seeMessage('Set up by');
    expect(list.text).toContain('20 watches here');
    expect(buttonTexts(list)).toHaveLength(40);
  });
});
