import { describe, expect, it } from 'vitest';
import { defaultSearch } from '../../../src/features/alerts/index.ts';
import { buttonTexts } from '../../support/ask.ts';
import { startedAt } from './poll-stage.ts';
import { startWatches } from './watch-stage.ts';

describe('/belay watch', () => {
  it('creates a watch, announces it in the channel and posts new alerts', async () => {
    const { ana, ben, raise, deliver, poll } = await startWatches();
    await ana.send('ops', '/belay watch severity:error "volume"');
    await ana.seeMessage('Watch added.');
    await deliver();
    const notice = await ben.seeMessage('added a watch to this channel');
    expect(notice.text).toContain('new alerts (error, “volume”)');
    raise('a1');
    raise('mild', { severity: 'warning' });
    await poll();
    const posted = await ben.seeMessage('volume a1');
    expect(buttonTexts(posted)).toEqual(['Acknowledge', 'View details']);
    expect(JSON.stringify(ben.snapshot())).not.toContain('volume mild');
  });

  it('shows a note added from the message without waiting for a poll', async () => {
    const { ana, ben, raise, poll, deliver } = await startWatches({ dialect: 'live' });
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    raise('a1');
    await poll();
    await poll();
    await ben.press(await ben.seeMessage('volume a1'), 'View details');
    await ben.press(await ben.seeDialog('volume a1'), 'Add note');
    const form = await ben.seeDialog('Leave empty to remove the note');
    await ben.submit(form, { note: { input: 'Ben is on it' } });
    await ben.seeMessage('Note saved: ');
    await deliver();
    await deliver();
    await ana.seeMessage('Note: “Ben is on it”');
  });

  it('shows a note from the portal when somebody opens the details', async () => {
    const { ana, ben, raise, poll, deliver } = await startWatches({ dialect: 'live' });
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    raise('a1', { updated_timestamp: startedAt.toISOString() });
    await poll();
    await poll();
    raise('a1', { updated_timestamp: startedAt.toISOString(), notes: 'Written in the portal' });
    await ben.press(await ben.seeMessage('volume a1'), 'View details');
    await ben.seeDialog('Written in the portal');
    await deliver();
    await deliver();
    await ana.seeMessage('Note: “Written in the portal”');
  });

  it('accepts a severity that the service has, and refuses one that it does not have', async () => {
    const { ana, raise, watchesOfOps } = await startWatches();
    raise('a1', { severity: 'notice' });
    await ana.send('ops', '/belay watch severity:critical');
    await ana.seeMessage('Unknown severity “critical”. Use error, warning or notice.');
    await ana.send('ops', '/belay watch severity:Notice');
    await ana.seeMessage('Watch added.');
    expect(await watchesOfOps()).toMatchObject([{ search: { severities: ['notice'] } }]);
  });

  it.each([
    ['alerts', {}],
    ['everything', {}],
    ['all errors', { severities: ['error'] }],
    ['policy Gold', { policy: 'Gold' }],
    ['"errors"', { words: ['errors'] }],
  ])('watches what %s means', async (typed, search) => {
    const { ana, watchesOfOps } = await startWatches();
    await ana.send('ops', `/belay watch ${typed}`);
    await ana.seeMessage('Watch added.');
    const watches = await watchesOfOps();
    expect(watches.map((watch) => watch.search)).toEqual([{ ...defaultSearch, ...search }]);
  });

  it('shows what matches words now, and asks before it adds a watch', async () => {
    const { ana, raise, watchesOfOps, service } = await startWatches();
    for (const id of ['blob-1', 'blob-2', 'blob-3', 'blob-4']) raise(id);
    raise('web-1');
    await ana.send('ops', '/belay watch severity:error blob');
    const question = await ana.seeMessage('Watch new alerts (error, “blob”)?');
    expect(question.text).toContain('No watch was added yet.\n4 active alerts match now:');
    expect(question.text).toContain('• 1 more');
    expect(await watchesOfOps()).toEqual([]);
    await ana.press(question, 'Add watch');
    await ana.seeMessage('Watch added.');
    expect(await watchesOfOps()).toMatchObject([
      { search: { severities: ['error'], words: ['blob'] } },
    ]);
    await ana.send('ops', '/belay watch nothing-like-it');
    await ana.seeMessage('No active alerts match now.');
    service.setFault({ kind: 'status', status: 500 });
    await ana.send('ops', '/belay watch vm');
    const unread = await ana.seeMessage('Watch new alerts (“vm”)?');
    expect(unread.text).toContain(':warning: The service returned a server error.');
    expect(await watchesOfOps()).toHaveLength(1);
  });

  it('posts to direct messages with Belay', async () => {
    const { ana, ben, raise, poll } = await startWatches();
    await ana.send('Belay', '/belay watch all');
    await ana.seeMessage('Watch added.');
    raise('a1');
    await poll();
    await poll();
    await ana.seeMessage('volume a1');
    expect(JSON.stringify(ben.snapshot())).not.toContain('volume a1');
  });

  it("doesn't call direct messages a channel", async () => {
    const { ana, poll } = await startWatches();
    await ana.send('Belay', '/belay watch all');
    await ana.seeMessage('Watch added. All new alerts are posted in this conversation.');
    await ana.send('Belay', '/belay watch severity:error');
    await ana.seeMessage('match 1 other watch in this conversation are posted twice');
    await ana.send('Belay', '/belay watch severity:error');
    await ana.seeMessage('This conversation already has a watch for new alerts (error)');
    await ana.send('Belay', '/belay watch compliance Gold above 3');
    await ana.seeMessage('A message is posted in this conversation when');
    await ana.send('Belay', '/belay watch');
    await ana.seeMessage('3 watches in this conversation');
    await poll();
    await ana.seeMessage('added a watch to this conversation: all new alerts');
  });

  it("says how to invite Belay if it can't post", async () => {
    const { ana, slack, watchesOfOps } = await startWatches();
    slack.failNext('conversations.info', 'channel_not_found');
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('/invite @Belay');
    expect(await watchesOfOps()).toEqual([]);
  });

  it.each([
    ['status:cleared', 'posts new alerts and updates them'],
    ['since:2d', 'posts new alerts only'],
    ['severity:eror since:99x', 'because a watch posts new alerts only'],
    ['sort:raised', 'in the order in which they are raised'],
    ['severty:error', 'Did you mean'],
    ['resolved', 'posts new alerts and updates them'],
    ['errors today', 'posts new alerts only'],
    ['critical', "`critical` isn't a severity of this service."],
    ['severity:error -mail', "can't exclude alerts"],
    ['gold above 3', 'Did you mean `/belay watch compliance gold above 3`?'],
  ])('refuses the filter %s with a reason', async (filter, reason) => {
    const { ana, watchesOfOps } = await startWatches();
    await ana.send('ops', `/belay watch ${filter}`);
    await ana.seeMessage(reason);
    expect(await watchesOfOps()).toEqual([]);
  });

  it('reports a duplicate filter, in any order', async () => {
    const { ana } = await startWatches();
    await ana.send('ops', '/belay watch severity:error,warning');
    await ana.seeMessage('Watch added.');
    await ana.send('ops', '/belay watch severity:warning,error');
    await ana.seeMessage('This channel already has a watch for ');
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

  it.each(['list', 'End', 'new', 'add', 'delete'])(
    'lists the watches for the word %s',
    async (word) => {
      const { ana, watchesOfOps } = await startWatches();
      await ana.send('ops', `/belay watch ${word}`);
      await ana.seeMessage('No watches in this channel');
      expect(await watchesOfOps()).toEqual([]);
    },
  );

  it('refuses guests', async () => {
    const { gus, watchesOfOps } = await startWatches();
    await gus.send('ops', '/belay watch all');
    await gus.seeMessage("Guests of this workspace can't use");
    expect(await watchesOfOps()).toEqual([]);
  });
});

describe('the list of watches', () => {
  it('shows filter, creator and count, with buttons only for people with permission', async () => {
    const { ana, ben, raise, poll } = await startWatches();
    await ben.send('ops', '/belay watch type:policy_violated');
    await ben.seeMessage('Watch added.');
    raise('a1');
    await poll();
    await ana.send('ops', '/belay watch');
    const foreign = await ana.seeMessage('1 watch in this channel');
    expect(foreign.text).toContain('New alerts (policy violated)');
    expect(foreign.text).toContain('1 alert posted');
    expect(buttonTexts(foreign)).toEqual([]);
    await ben.send('ops', '/belay watch');
    expect(buttonTexts(await ben.seeMessage('1 watch in this channel'))).toEqual([
      'Edit',
      'End watch',
    ]);
  });

  it('edits a watch in the same form as the filter of a list', async () => {
    const { ana, deliver, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch severity:error policy:"Gold 2"');
    await ana.seeMessage('Watch added.');
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
    const form = await ana.seeDialog('Applies to new alerts.');
    expect(form.title).toBe('Edit watch');
    const shown = JSON.stringify(form.blocks);
    expect(shown).toContain('"initial_options":[{"value":"error"');
    expect(shown).toContain('"initial_value":"Gold 2"');
    const tooLong = { words: { input: 'x'.repeat(101) } };
    await ana.submit(form, tooLong);
    const still = await ana.seeDialog('At most 100 characters for each word.');
    await ana.submit(still, {
      severity: { input: ['warning', 'error'] },
      words: { input: 'vm-1' },
    });
    await ana.see(({ views }) => (views.length === 0 ? true : undefined));
    await expect
      .poll(async () => (await watchesOfOps())[0])
      .toMatchObject({
        changedBy: ana.slackUserId,
        search: { severities: ['error', 'warning'], policy: 'Gold 2', words: ['vm-1'] },
      });
    await deliver();
    await deliver();
    const posted = await ana.seeMessage('changed a watch in this channel');
    expect(posted.text).toContain('new alerts (error or warning, policy “Gold 2”, “vm-1”)');
  });

  it('opens the form with the longest possible filter', async () => {
    const { ana, watchesOfOps } = await startWatches();
    const words = Array.from({ length: 15 }, (_, index) => `${index}`.padEnd(100, 'w'));
    await ana.send('ops', `/belay watch ${words.map((word) => `"${word}"`).join(' ')}`);
    await ana.seeMessage('Watch added.');
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
    const form = await ana.seeDialog('Applies to new alerts.');
    expect(JSON.stringify(form.blocks)).toContain(`"initial_value":"${words.join(' ')}"`);
    await ana.submit(form, { words: { input: `${words.join(' ')} x` } });
    await expect.poll(async () => (await watchesOfOps())[0]?.search.words).toEqual([...words, 'x']);
  });

  it('accepts values of the current filter, even if no list has shown them', async () => {
    const { ana, store, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch severity:error');
    await ana.seeMessage('Watch added.');
    const [watch] = await watchesOfOps();
    if (!watch) throw new Error('no watch');
    const search = { ...watch.search, severities: ['dire'], types: ['quota_exhausted'] };
    await store.change({ ...watch, search, by: ana.slackUserId, at: watch.createdAt });
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
    await ana.submit(await ana.seeDialog('Applies to new alerts.'), { words: { input: 'vm-12' } });
    await expect
      .poll(async () => (await watchesOfOps())[0]?.search)
      .toMatchObject({ severities: ['dire'], types: ['quota_exhausted'], words: ['vm-12'] });
  });

  it('ends a watch once, also for an admin', async () => {
    const { ana, cleo, deliver, watchesOfOps, raise, poll, said } = await startWatches();
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    await cleo.send('ops', '/belay watch');
    const list = await cleo.seeMessage('1 watch in this channel');
    expect(JSON.stringify(list.blocks)).toContain(
      'All new alerts. Belay stops posting these alerts here. Messages already posted stay.',
    );
    await cleo.press(list, 'End watch');
    await cleo.seeMessage('Watch ended.');
    await cleo.press(list, 'End watch');
    await cleo.seeMessage('has already ended');
    expect(await watchesOfOps()).toEqual([]);
    await deliver();
    await deliver();
    await ana.seeMessage('ended a watch in this channel');
    raise('a1');
    await poll();
    expect(said().join()).not.toContain('volume a1');
  });

  it('does not end a watch that was changed after the list was shown', async () => {
    const { ana, cleo, watchesOfOps } = await startWatches();
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    await cleo.send('ops', '/belay watch');
    const old = await cleo.seeMessage('1 watch in this channel');
    await cleo.press(old, 'Edit');
    await cleo.submit(await cleo.seeDialog('Applies to new alerts.'), {
      severity: { input: ['error'] },
    });
    await expect
      .poll(async () => (await watchesOfOps())[0]?.search)
      .toMatchObject({ severities: ['error'] });
    await cleo.press(old, 'End watch');
    await cleo.seeMessage("changed after the list was shown, so it wasn't ended.");
    expect(await watchesOfOps()).toHaveLength(1);

    await cleo.send('ops', '/belay watch');
    await cleo.press(await cleo.seeMessage('changed by'), 'End watch');
    await cleo.seeMessage('Watch ended.');
    expect(await watchesOfOps()).toEqual([]);
  });

  it('limits a channel to 20 watches and lists them all', async () => {
    const { ana, watchesOfOps } = await startWatches();
    for (let index = 1; index <= 20; index += 1) {
      await ana.send('ops', `/belay watch "vm-${index}"`);
      await expect.poll(async () => (await watchesOfOps()).length).toBe(index);
    }
    await ana.send('ops', '/belay watch "one-more"');
    await ana.seeMessage('A channel can have at most 20 watches');
    await ana.send('ops', '/belay watch');
    const list = await ana.seeMessage('Added by');
    expect(list.text).toContain('20 watches in this channel');
    expect(buttonTexts(list)).toHaveLength(40);
  });
});
