import { describe, expect, it, vi } from 'vitest';
import { people } from '../../../playground/people.ts';
import { addHours } from '../../../src/dates.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { patienceMs } from '../../support/patience.ts';
import { seconds } from './poll-stage.ts';
import { startWatches } from './watch-stage.ts';

/** #ops watches everything, and has a message about one alert. */
async function startSnoozing() {
  const stage = await startWatches();
  const { ana, raise } = stage;
  // A channel gets one message a second.
  const poll = async () => {
    await stage.poll();
    await stage.poll();
  };
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('Watch added.');
  raise('a1', { severity: 'warning' });
  await poll();
  const posted = await ana.seeMessage('volume a1');
  const snooze = async (until = '1 hour') => {
    await ana.press(posted, until);
    await ana.seeMessage('You snoozed this alert until ');
    await stage.deliver();
    await stage.deliver();
    return seeAgain(ana, posted, 'Snoozed until ');
  };
  const replies = () => messagesOf(ana).filter(({ threadTs }) => threadTs === posted.messageTs);
  return { ...stage, poll, posted, snooze, replies };
}

describe('a snoozed alert', () => {
  it('takes two clicks, and is shown with a button that ends it', async () => {
    const { ben, posted, snooze, db } = await startSnoozing();
    const shown = await snooze('Until tomorrow 9:00 AM');
    expect(shown.text).toContain(`by <@${people.ana}>`);
    expect(buttonTexts(shown)).toEqual(['Acknowledge', 'End snooze', 'View details']);
    const row = await db.selectFrom('alert_state').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ owner: null, snoozed_by: people.ana, alert_id: 'a1' });
    await ben.press(shown, 'End snooze');
    await ben.seeMessage('The snooze of this alert has ended');
    expect(await db.selectFrom('alert_state').selectAll().execute()).toEqual([]);
    const events = await db.selectFrom('audit_log').select('event').orderBy('seq').execute();
    expect(events.map(({ event }) => event)).toEqual(['alert_snoozed', 'alert_snooze_ended']);
    expect(posted.messageTs).toBe(shown.messageTs);
  });

  it('can end for a resource with an empty name', async () => {
    const { ana, ben, posted, snooze, raise, poll } = await startSnoozing();
    await snooze();
    raise('a1', {
      severity: 'warning',
      raised_count: 2,
      updated_timestamp: seconds(600).toISOString(),
      primary_entity: { id: 'e-a1', type: 'aws_ebs_volume', value: '' },
    });
    await poll();
    await ben.press(await seeAgain(ana, posted, 'raised 2 times'), 'End snooze');
    await ben.seeMessage('The snooze of this alert has ended');
  });

  it('is quiet when it is raised again, also to its owner', async () => {
    const { ana, posted, seeEdited, snooze, raise, poll, deliver, replies } = await startSnoozing();
    await ana.press(posted, 'Acknowledge');
    await seeEdited(ana, posted, 'Owner: ');
    await deliver();
    await snooze();
    raise('a1', {
      severity: 'warning',
      raised_count: 2,
      updated_timestamp: seconds(600).toISOString(),
    });
    await poll();
    const shown = await seeAgain(ana, posted, 'raised again since');
    expect(shown.text).toContain('Snoozed until ');
    expect(replies()).toEqual([]);
  });

  it('is not posted when it is raised again, if the watch has no message about it', async () => {
    const { ana, raise, poll, said } = await startWatches();
    raise('old', { severity: 'warning' });
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    await ana.send('ops', '/belay alerts');
    await ana.press(await ana.seeMessage('volume old'), 'View details');
    await ana.press(await ana.seeDialog('volume old'), '1 hour');
    await ana.seeDialog('Snoozed until ');
    const raised = { severity: 'warning', raised_count: 2 };
    raise('old', { ...raised, updated_timestamp: seconds(600).toISOString() });
    raise('new');
    await poll();
    await poll();
    await ana.seeMessage('volume new');
    expect(said().filter((text) => text.includes('volume old'))).toHaveLength(1);
  });

  it('is forgotten, as its owner is, when the service does not have it anymore', async () => {
    const { ana, posted, seeEdited, snooze, service, db } = await startSnoozing();
    await ana.press(posted, 'Acknowledge');
    await seeEdited(ana, posted, 'Owner: ');
    await snooze();
    service.setFault({ kind: 'status', status: 404 }, { pathPrefix: '/alerts/individual/a1' });
    await ana.press(posted, 'View details');
    await ana.seeDialog('This alert no longer exists.');
    expect(await db.selectFrom('alert_state').selectAll().execute()).toEqual([]);
  });

  it('is no longer snoozed once it gets worse, and says so', async () => {
    const { ana, posted, snooze, raise, poll, replies } = await startSnoozing();
    await snooze();
    raise('a1', { severity: 'error', updated_timestamp: seconds(600).toISOString() });
    await poll();
    const reply = await ana.seeMessage('because this alert got worse');
    expect(reply.text).toContain(`<@${people.ana}>`);
    expect(reply.text).toContain('Severity changed from warning to error');
    expect(replies()).toHaveLength(1);
    const shown = await seeAgain(ana, posted, 'Error');
    expect(shown.text).not.toContain('Snoozed until');
  });

  it('comes back once when its time is over, with several processes', async () => {
    const { ana, posted, snooze, updateStates, replies, clock } = await startSnoozing();
    await snooze();
    await updateStates(addHours(clock(), 0.5));
    expect(replies()).toEqual([]);
    await updateStates(addHours(clock(), 1));
    await updateStates(addHours(clock(), 1));
    expect(replies().map(({ text }) => text)).toEqual([
      `<@${people.ana}>: the snooze has ended. This alert is still active.`,
    ]);
    const shown = await seeAgain(ana, posted, 'volume a1');
    expect(shown.text).not.toContain('Snoozed until');
    expect(buttonTexts(shown)).toEqual(['Acknowledge', 'View details']);
  });

  it('mentions its owner, and stays due while the service cannot be read', async () => {
    const {
      ana,
      ben,
      posted,
      seeEdited,
      snooze,
      deliver,
      updateStates,
      replies,
      clock,
      service,
      db,
    } = await startSnoozing();
    await ben.press(posted, 'Acknowledge');
    await seeEdited(ana, posted, 'Owner: ');
    await deliver();
    await snooze();
    service.setFault({ kind: 'status', status: 403 });
    await updateStates(addHours(clock(), 2));
    expect(replies()).toEqual([]);
    expect(await db.selectFrom('alert_state').select('snoozed_by').execute()).toHaveLength(1);
    service.setFault(undefined);
    await updateStates(addHours(clock(), 1));
    expect(replies().map(({ text }) => text)).toEqual([
      `<@${people.ben}>: the snooze has ended. This alert is still active.`,
    ]);
  });

  it('ends silently with the alert, when that was cleared', async () => {
    const { ana, posted, snooze, raise, updateStates, replies, clock, db } = await startSnoozing();
    await snooze();
    const cleared = { status: 'cleared', cleared_timestamp: seconds(600).toISOString() };
    raise('a1', { ...cleared, updated_timestamp: seconds(600).toISOString() });
    await updateStates(addHours(clock(), 2));
    await seeAgain(ana, posted, 'Cleared');
    expect(
      replies()
        .map(({ text }) => text)
        .join(),
    ).not.toContain('the snooze has ended');
    expect(await db.selectFrom('alert_state').selectAll().execute()).toEqual([]);
  });

  it('is brought back in a direct message, if no channel has a message about it', async () => {
    const { ana, raise, updateStates, clock } = await startWatches({ dialect: 'documented' });
    raise('a1');
    await ana.send('ops', '/belay alerts "volume a1"');
    await ana.press(
      await ana.seeMessage('1 active: '),
      'volume a1 · Policy violated: Backup failed',
    );
    await ana.seeMessage('You now own this alert');
    // Only the menu to snooze lists an alert that somebody owns.
    await ana.send('ops', '/belay alerts "volume a1"');
    const list = await ana.seeMessage('Owner: ');
    await ana.press(list, 'volume a1 · Policy violated: Backup failed');
    const form = await ana.seeDialog('At most 30 days.');
    await ana.submit(form, { until: { input: 'whenever' } });
    await ana.submit(form, { until: { input: '5 weeks' } });
    await ana.submit(form, { until: { input: 'until 2h' } });
    await ana.seeMessage('You snoozed this alert until ');
    await updateStates(addHours(clock(), 3));
    const message = await ana.seeMessage('the snooze has ended. This alert is still active.');
    expect(message.channelId).not.toMatch(/^C/);
  });

  it('can be typed as a time in the zone of the person, through the change of its clocks', async () => {
    const { ana, posted, db, updateStates } = await startSnoozing();
    await updateStates(new Date('2027-03-20T12:00:00Z'));
    for (const [input, utc] of [
      ['2027-03-27 09:00', '2027-03-27T09:00:00.000Z'],
      ['2027-03-29 09:00', '2027-03-29T08:00:00.000Z'],
    ] as const) {
      await ana.press(posted, 'Another time…');
      const form = await ana.seeDialog('At most 30 days.');
      await ana.submit(form, { until: { input } });
      await vi.waitFor(async () => {
        const row = await db.selectFrom('alert_state').select('snoozed_until').executeTakeFirst();
        expect(row?.snoozed_until?.toISOString()).toBe(utc);
      }, patienceMs);
    }
  });
});
