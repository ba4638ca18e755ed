import { addMinutes } from 'date-fns/addMinutes';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { buttonTexts, messagesOf } from '../../support/ask.ts';
import { seconds } from './poll-stage.ts';
import { startWatches, teamId } from './watch-stage.ts';

/** Watches everything in #ops. */
async function startMuting(options: Parameters<typeof startWatches>[0] = {}) {
  const stage = await startWatches(options);
  const { ana } = stage;
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('Watch added.');
  return {
    ...stage,
    /** Mutes policy violations that are warnings, for an hour. */
    async mute(entered: Parameters<Actor['submit']>[1] = {}) {
      await ana.send('ops', '/belay mute type:policy_violated for 1h');
      await ana.submit(await ana.seeDialog('Mute alerts'), {
        reason: { input: 'Maintenance of the storage' },
        ...entered,
      });
      await stage.seeQueued(`<@${people.ana}> muted alerts`);
    },
    posted: (text: string) =>
      messagesOf(ana).filter((one) => one.text.includes(text) && one.channelId.startsWith('C')),
  };
}

const warning = { severity: 'warning' };

describe('a mute', () => {
  it('holds what it names, posts the rest, and ends with one summary', async () => {
    const { ana, mute, raise, poll, posted, endHolds, advance } = await startMuting();
    await mute();
    raise('w1', warning);
    raise('w2', warning);
    raise('n1', { severity: 'notice' });
    raise('e1', { severity: 'error' });
    raise('other', { severity: 'warning', type: 'restore_failed' });
    await poll();
    await poll();
    expect(posted('volume e1')).toHaveLength(1);
    expect(posted('volume other')).toHaveLength(1);
    for (const held of ['w1', 'w2', 'n1']) expect(posted(`volume ${held}`)).toHaveLength(0);

    await ana.send('ops', '/belay mute');
    const list = await ana.seeMessage('1 mute in this channel');
    expect(list.text).toContain('3 alerts held so far');
    expect(list.text).toContain('Reason: “Maintenance of the storage”');

    raise('w2', { ...warning, status: 'cleared', updated_timestamp: seconds(300).toISOString() });
    await poll();
    advance(60 * 60_000);
    await Promise.all([endHolds(), endHolds()]);
    const summary = await ana.seeMessage('Mute ended: alerts (notice or warning, policy violated)');
    expect(summary.text).toContain(
      '3 alerts were held (warning: 2, notice: 1). 2 are still active.',
    );
    expect(posted('Mute ended')).toHaveLength(1);

    await ana.press(summary, 'View alerts');
    const shown = await ana.seeMessage('3 held alerts');
    for (const held of ['w1', 'w2', 'n1']) expect(shown.text).toContain(`volume ${held}`);

    raise('w3', warning);
    await poll();
    expect(posted('volume w3')).toHaveLength(1);
  });

  it.each(['error', 'critical'])('posts an alert that becomes %s', async (severity) => {
    const { mute, raise, poll, posted, endHolds, advance, ana } = await startMuting();
    await mute();
    raise('w1', warning);
    await poll();
    raise('w1', { severity, updated_timestamp: seconds(300).toISOString() });
    await poll();
    await poll();
    expect(posted('volume w1')).toHaveLength(1);
    advance(60 * 60_000);
    await endHolds();
    await ana.seeMessage('No alerts were held.');
  });

  it('can be changed and ended by an operator, and is logged', async () => {
    const { ana, ben, mute, raise, poll, deliver, seeQueued, logged } = await startMuting();
    await mute();
    raise('w1', warning);
    await poll();
    await ben.send('ops', '/belay mutes');
    const list = await ben.seeMessage('1 mute in this channel');
    expect(buttonTexts(list)).toEqual(['View held alerts', 'Edit', 'End mute', 'New mute…']);
    await ben.press(list, 'Edit');
    await ben.submit(await ben.seeDialog('Edit mute'), { ends: { input: '2 days' } });
    await seeQueued(`<@${people.ben}> changed a mute`);
    await ben.press(list, 'End mute');
    await ben.seeMessage('Mute ended.');
    await deliver();
    const summary = await ana.seeMessage(`<@${people.ben}> ended the mute`);
    expect(summary.text).toContain('1 alert was held (warning: 1). 1 is still active.');
    expect(await logged()).toEqual(['mute_added', 'mute_changed', 'mute_ended']);
  });

  it('cannot be changed to hold the alerts of another mute of the channel', async () => {
    const { ana, mute, mutes, seeQueued, logged } = await startMuting();
    await mute({ severity: { input: ['warning'] } });
    await mute({ severity: { input: ['notice'] } });
    await ana.send('ops', '/belay mute');
    const list = await ana.seeMessage('2 mutes in this channel');
    await ana.press(list, 'Edit');
    await ana.submit(await ana.seeDialog('Edit mute'), { severity: { input: ['notice'] } });
    await ana.seeMessage('These alerts are already muted in this channel. Nothing was changed.');
    const stored = await mutes.list({ teamId, channelId: list.channelId });
    expect(stored.map(({ search }) => search.severities)).toEqual([['warning'], ['notice']]);
    expect(await logged()).toEqual(['mute_added', 'mute_added']);
    await ana.press(list, 'Edit');
    await ana.submit(await ana.seeDialog('Edit mute'), { reason: { input: 'It takes longer' } });
    await seeQueued(`<@${people.ana}> changed a mute`);
  });

  it('posts what it has held once its filter is changed', async () => {
    const { ana, mute, raise, poll, posted, seeQueued } = await startMuting();
    await mute({ severity: { input: ['error', 'warning'] } });
    raise('e1', { severity: 'error' });
    raise('w1', warning);
    await poll();
    await ana.send('ops', '/belay mute');
    await ana.press(await ana.seeMessage('2 alerts held so far'), 'Edit');
    await ana.submit(await ana.seeDialog('Edit mute'), { severity: { input: ['warning'] } });
    await seeQueued('Held before the mute was changed');
    const summary = await ana.seeMessage('*Held before the mute was changed*');
    expect(summary.text).toContain('2 alerts were held (error: 1, warning: 1). 2 are still active');
    await ana.press(summary, 'View alerts');
    await ana.seeMessage('2 held alerts');
    raise('e2', { severity: 'error' });
    raise('w2', warning);
    await poll();
    expect(posted('volume e2')).toHaveLength(1);
    expect(posted('volume w2')).toHaveLength(0);
  });

  it('needs severities, a reason, and an end within 30 days', async () => {
    const { ana } = await startMuting();
    await ana.send('ops', '/belay mute policy gold');
    const form = await ana.seeDialog('Mute alerts');
    await ana.submit(form, { ends: { input: '31 days' }, reason: { input: 'Later' } });
    const late = await ana.seeDialog('At most 30 days from now.');
    await ana.submit(late, { severity: { input: [] }, ends: { input: '1 day' } });
    const { errors } = await ana.seeDialog('Mute alerts');
    expect(Object.keys(errors)).toEqual(['severity']);
  });

  it('ends when the line says, also after a filter with such a word', async () => {
    const { ana } = await startMuting();
    await ana.send('ops', '/belay mute warnings for gold until 2026-12-01 09:00');
    const form = JSON.stringify((await ana.seeDialog('Mute alerts')).blocks);
    expect(form).toContain('"initial_value":"2026-12-01 09:00"');
    expect(form).toContain('"initial_value":"gold"');
  });

  it('asks in its form about an end that is no time', async () => {
    const { ana } = await startMuting();
    await ana.send('ops', '/belay mute gold until noon');
    const form = await ana.seeDialog('Mute alerts');
    expect(JSON.stringify(form.blocks)).toContain('"initial_value":"gold"');
    await ana.submit(form, { ends: { input: 'noon' }, reason: { input: 'Later' } });
    await ana.seeDialog('Enter a later time, such as 4h');
  });

  it('refuses a time, a status and an order, and says how to set its end', async () => {
    const { ana } = await startMuting();
    const refusal =
      "A mute can't have a time, a status or an order. To set its end, add `until`, such as `/belay mute policy:gold until friday 14:00`.";
    for (const filter of ['policy gold today', 'status:cleared', 'sort:raised since:2d']) {
      await ana.send('ops', `/belay mute ${filter}`);
      const answer = await ana.seeMessage(refusal);
      expect(answer.text).not.toContain('watch');
      await ana.dismiss(answer);
    }
    await ana.send('ops', '/belay alerts since:2d as morning');
    await ana.seeMessage('Saved your filter *morning*');
    await ana.send('ops', '/belay mute morning');
    await ana.seeMessage(`The saved filter is \`/belay alerts since:2d\`. ${refusal}`);
  });

  it('takes what reads like a compliance watch as text', async () => {
    const { ana } = await startMuting();
    await ana.send('ops', '/belay mute Gold above 3');
    const form = await ana.seeDialog('Mute alerts');
    expect(JSON.stringify(form.blocks)).toContain('above');
  });

  it('with a type that Belay has not seen waits for a slow service in the modal', async () => {
    const { ana, raise, service } = await startMuting();
    raise('f1', { severity: 'warning', type: 'fresh_type' });
    service.setFault({ kind: 'slow', delayMs: 3300 }, { times: 1 });
    await ana.send('ops', '/belay mute type:fresh_type for 1h');
    await ana.seeDialog('Looking up the filter…');
    const form = await ana.seeDialog('Reason');
    expect(JSON.stringify(form.blocks)).toContain('fresh_type');

    await ana.send('ops', '/belay mute type:no_such_type for 1h');
    await ana.seeDialog('no_such_type');
  });

  it('without an end is for admins', async () => {
    const { ana, cleo, seeQueued, logged } = await startMuting();
    await ana.send('ops', '/belay mute type:policy_violated keep');
    await ana.seeMessage('Only admins can add, change and end mutes without an end.');
    expect(await logged()).toEqual(['refused']);
    await cleo.send('ops', '/belay mute type:policy_violated keep');
    const form = await cleo.seeDialog('Mute alerts');
    expect(JSON.stringify(form.blocks)).not.toContain('Until');
    await cleo.submit(form, { reason: { input: 'Known and accepted' } });
    await seeQueued('until somebody ends the mute');
  });

  it('of a type takes three clicks from the message of a watch', async () => {
    const { ana, raise, poll, posted } = await startMuting();
    raise('w1', warning);
    await poll();
    await poll();
    const [message] = posted('volume w1');
    if (!message) throw new Error('The alert was not posted.');
    await ana.press(message, 'View details');
    await ana.press(await ana.seeDialog('volume w1'), 'Mute alerts like this…');
    await ana.seeDialog('hold these alerts until the mute ends');
  });
});

describe('quiet hours of a watch', () => {
  it('hold warnings until their end, and let errors through', async () => {
    const { ana, raise, poll, posted, endHolds, advance, clock, seeQueued } = await startMuting();
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
    const form = await ana.seeDialog('Quiet hours');
    await ana.submit(form, { quietHours: { input: 'all night' } });
    const hours = [clock(), new Date(clock().getTime() + 2 * 60 * 60_000)];
    const times = hours.map((at) => at.toISOString().slice(11, 16));
    const still = await ana.seeDialog('Enter two times, such as 22:00-07:00.');
    await ana.submit(still, { quietHours: { input: times.join('-') } });
    await seeQueued('changed a watch');
    raise('w1', warning);
    raise('e1', { severity: 'error' });
    await poll();
    await poll();
    expect(posted('volume e1')).toHaveLength(1);
    expect(posted('volume w1')).toHaveLength(0);
    advance(2 * 60 * 60_000);
    await Promise.all([endHolds(), endHolds()]);
    const summary = await ana.seeMessage('Quiet hours ended');
    expect(summary.text).toContain('1 alert was held (warning: 1). 1 is still active.');
    expect(posted('Quiet hours ended')).toHaveLength(1);
    raise('w2', warning);
    // The summary only counted it.
    raise('w1', { severity: 'error' });
    await poll();
    await poll();
    expect(posted('volume w2')).toHaveLength(1);
    expect(posted('volume w1')).toHaveLength(1);
  });

  it('post what they hold when they are changed', async () => {
    const { ana, raise, poll, endHolds, clock, seeQueued, posted } = await startMuting();
    const edit = async (minutes: number, count: number) => {
      await ana.send('ops', '/belay watch');
      await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
      const hours = [clock(), addMinutes(clock(), minutes)].map((at) => at.toISOString());
      const typed = hours.map((at) => at.slice(11, 16)).join('-');
      await ana.submit(await ana.seeDialog('Quiet hours'), { quietHours: { input: typed } });
      await seeQueued('changed a watch', count);
    };
    await edit(60, 1);
    raise('w1', warning);
    await poll();
    await edit(120, 2);
    await endHolds();
    await seeQueued('*Quiet hours changed*');
    const summary = await ana.seeMessage('*Quiet hours changed*');
    expect(summary.text).toContain('1 alert was held (warning: 1). 1 is still active.');
    expect(posted('Quiet hours ended')).toHaveLength(0);
  });
});
