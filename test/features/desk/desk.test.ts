import { expect, it } from 'vitest';
import { buttonTexts, messagesOf } from '../../support/ask.ts';
import { seconds } from '../watches/poll-stage.ts';
import { startWatches } from '../watches/watch-stage.ts';

/** Errors `a1` to `a7`, the oldest first, and a warning. The channel watches them. */
async function startDesk() {
  const stage = await startWatches({ dialect: 'documented' });
  const { ana, raise, poll } = stage;
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('Watch added.');
  for (const index of [1, 2, 3, 4, 5, 6, 7]) {
    // Before all others of the service.
    const raised = new Date(Date.UTC(2020, 0, index)).toISOString();
    const updated = seconds(index).toISOString();
    raise(`a${index}`, {
      severity: 'error',
      raised_count: 2,
      raised_timestamp: raised,
      updated_timestamp: updated,
    });
  }
  raise('w1', { severity: 'warning' });
  // A channel gets one message a second.
  for (const _ of '12345678') await poll();
  const posted = (name: string) =>
    ana.see(
      () =>
        messagesOf(ana).find(({ text }) =>
          text.startsWith(`:large_red_circle: Error · *volume ${name}*`),
        ),
      `the message about ${name}`,
    );
  async function openDesk(filter = '') {
    const before = messagesOf(ana).length;
    await ana.send('random', `/belay desk ${filter}`);
    return ana.see(
      () =>
        messagesOf(ana)
          .slice(before)
          .findLast(({ text }) => text.includes('Alert desk')),
      'the desk',
    );
  }
  return { ...stage, posted, openDesk };
}

it('shows what is yours, errors that nobody has, and what is snoozed', async () => {
  const { ana, ben, posted, seeEdited, openDesk } = await startDesk();
  const empty = await openDesk();
  expect(empty.text).toContain('Yours: 0');
  const count = countErrors(empty);
  expect(count).toBeGreaterThanOrEqual(7);
  expect(empty.text).not.toContain('volume w1');
  expect(empty.text).not.toContain('Snoozed');
  expect([...empty.text.matchAll(/volume (\w+)/g)].map(([, name]) => name)).toEqual([
    ...['a1', 'a2', 'a3', 'a4', 'a5'],
  ]);

  await ana.press(empty, 'Acknowledge: volume a1');
  await ana.seeMessage('You now own this alert: *volume a1');
  await ben.press(await posted('a2'), 'Acknowledge');
  await seeEdited(ana, await posted('a2'), 'Owner: ');
  await ben.press(await posted('a3'), '1 hour');
  await ben.seeMessage('You snoozed this alert until ');

  const desk = await openDesk();
  expect(desk.text).toMatch(/Yours: 1[\s\S]*volume a1[\s\S]*Errors without an owner: /);
  expect(countErrors(desk)).toBe(count - 3);
  expect(desk.text).not.toContain('volume a2');
  expect(desk.text).toMatch(/Snoozed: 1[\s\S]*volume a3/);
  await ana.press(desk, 'End snooze');
  await ana.seeMessage('The snooze of this alert has ended');
  const after = await openDesk();
  expect(countErrors(after)).toBe(count - 2);
  expect(buttonTexts(after)).not.toContain('End snooze');
});

it('shows an alert again at once whose owner or snooze ended, even if it cannot be read', async () => {
  const { ana, posted, seeEdited, openDesk, service } = await startDesk();
  await ana.press(await posted('a1'), 'Acknowledge');
  await seeEdited(ana, await posted('a1'), 'Owner: ');
  await ana.press(await posted('a2'), '1 hour');
  await seeEdited(ana, await posted('a2'), 'Snoozed');
  const desk = await openDesk();
  const count = countErrors(desk);
  await ana.press(desk, 'View details: volume a1 · Policy violated: Backup failed');
  const details = await ana.seeDialog('Alert ID');
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/alerts/individual/' });
  await ana.press(details, 'Release');
  await ana.seeDialog('This alert no longer has an owner: *volume a1');
  expect(countErrors(await openDesk())).toBe(count + 1);
  await ana.press(desk, 'End snooze');
  await ana.seeMessage('The snooze of this alert has ended: *volume a2');
  expect(countErrors(await openDesk())).toBe(count + 2);
});

it('lists the mutes of the channel, to edit or end them', async () => {
  const { ana, openDesk } = await startDesk();
  await ana.send('random', '/belay mute type:policy_violated for 1h');
  await ana.submit(await ana.seeDialog('Mute alerts'), { reason: { input: 'Maintenance' } });
  await ana.send('ops', '/belay desk');
  await ana.seeMessage('Errors without an owner: ');
  expect(messagesOf(ana).some(({ text }) => text.includes('Mutes in'))).toBe(false);

  const desk = await openDesk();
  expect(desk.text).toMatch(/Mutes in this channel: 1[\s\S]*Reason: “Maintenance”/);
  await ana.press(desk, 'End mute');
  await ana.seeMessage('Mute ended.');
  expect((await openDesk()).text).not.toContain('Mutes in');
});

it('pages through what is yours, beyond five', async () => {
  const { ana, posted, seeEdited, openDesk } = await startDesk();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) {
    const alert = await posted(name);
    await ana.press(alert, 'Acknowledge');
    await seeEdited(ana, alert, 'Owner: ');
  }
  const desk = await openDesk();
  expect(desk.text).toContain('Yours: 6');
  expect(desk.text).not.toContain('volume a6');
  await ana.press(desk, 'View all: Yours');
  const all = await ana.seeMessage('Yours: 1-6 of 6');
  expect(all.text).toContain('volume a6');
});

it('shows only what matches a filter, on its pages too', async () => {
  const { ana, posted, seeEdited, openDesk } = await startDesk();
  for (const name of ['a1', 'a2']) {
    const alert = await posted(name);
    await ana.press(alert, 'Acknowledge');
    await seeEdited(ana, alert, 'Owner: ');
  }
  await ana.press(await posted('a3'), '1 hour');
  await ana.seeMessage('You snoozed this alert until ');

  const ofOne = await openDesk('"volume a2"');
  expect(ofOne.text).toContain('Filters: “volume a2”');
  expect(ofOne.text).toMatch(/Yours: 1[\s\S]*volume a2[\s\S]*Alerts without an owner: 0/);
  expect(ofOne.text).not.toMatch(/volume a1|Snoozed/);
  const warning = await openDesk('severity:warning "volume w1"');
  expect(warning.text).toMatch(/Yours: 0[\s\S]*Alerts without an owner: 1[\s\S]*volume w1/);
  const snoozed = await openDesk('"volume a3"');
  expect(snoozed.text).toMatch(/Alerts without an owner: 0[\s\S]*Snoozed: 1[\s\S]*volume a3/);

  await ana.press(await ana.seeMessage('Filters: “volume a2”'), 'Refresh');
  const refreshed = await ana.seeMessage('Filters: “volume a2”');
  expect(refreshed.text).not.toMatch(/volume a1|Snoozed/);
});

it('pages through what is yours of a filter', async () => {
  const { ana, posted, seeEdited, openDesk } = await startDesk();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) {
    const alert = await posted(name);
    await ana.press(alert, name === 'a7' ? '1 hour' : 'Acknowledge');
    await seeEdited(ana, alert, name === 'a7' ? 'Snoozed' : 'Owner: ');
  }
  await ana.press(await openDesk('errors'), 'View all: Yours');
  const all = await ana.seeMessage('Yours: 1-6 of 6');
  expect(all.text).toContain('Filters: error');
  expect(all.text).toContain('volume a6');
  expect(all.text).toContain('The whole desk: `/belay desk severity:error`');
});

it('takes saved filters, and what changed since the last look', async () => {
  const { ana, openDesk } = await startDesk();
  await ana.send('random', '/belay alerts "volume a3" as morning');
  await ana.seeMessage('Saved your filter *morning*');
  const desk = await openDesk('morning');
  expect(desk.text).toContain('Using your saved filter *morning*.');
  expect(desk.text).toMatch(/Alerts without an owner: 1[\s\S]*volume a3/);

  expect((await openDesk('since:last "volume a1"')).text).toContain('Alerts without an owner: 0');
});

it('says how to save a filter', async () => {
  const { ana } = await startDesk();
  await ana.send('random', '/belay desk errors as oncall');
  const how = await ana.seeMessage('To save a filter, run `/belay alerts errors as oncall`.');
  expect(how.text).toContain('Then run `/belay desk oncall`.');
  expect(how.text).not.toContain('Yours');
});

it('names saved filters if nothing matches words that may be the name of one', async () => {
  const { ana, posted, seeEdited, openDesk } = await startDesk();
  await ana.send('random', '/belay alerts "volume a3" as morning');
  await ana.seeMessage('Saved your filter *morning*');
  const hint = 'No active alerts match. To list saved filters, run `/belay alerts filters`.';
  expect((await openDesk('mornin')).text).toContain(hint);
  expect((await openDesk('"mornin"')).text).not.toContain(hint);
  expect((await openDesk('type:policy_violated severity:notice')).text).not.toContain(hint);

  const alert = await posted('a3');
  await ana.press(alert, 'Acknowledge');
  await seeEdited(ana, alert, 'Owner: ');
  expect((await openDesk('a3')).text).not.toContain(hint);
});

it('says that it shows active alerts only', async () => {
  const { ana } = await startDesk();
  await ana.send('random', '/belay desk status:cleared');
  await ana.seeMessage('The desk shows active alerts only.');
  await ana.send('random', '/belay desk severity:terrible');
  await ana.seeMessage('terrible');
});

it('does not say that all is well when the service cannot be read', async () => {
  const { ana, posted, seeEdited, openDesk, service } = await startDesk();
  await ana.press(await posted('a1'), 'Acknowledge');
  await seeEdited(ana, await posted('a1'), 'Owner: ');
  service.setFault({ kind: 'status', status: 403 });
  const desk = await openDesk();
  expect(desk.text).toMatch(/Yours: 1[\s\S]*volume a1/);
  expect(desk.text).toContain('Errors without an owner: unknown');
});

function countErrors({ text }: { text: string }): number {
  return Number(/Errors without an owner: (\d+)/.exec(text)?.[1]);
}
