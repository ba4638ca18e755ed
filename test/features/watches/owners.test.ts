import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { seconds } from './poll-stage.ts';
import { startWatches } from './watch-stage.ts';

/** Watches everything in #ops and #random, and raises one alert. */
async function startOwning(options: Parameters<typeof startWatches>[0] = {}) {
  const stage = await startWatches(options);
  const { ana, raise, poll } = stage;
  for (const [index, channel] of ['ops', 'random'].entries()) {
    await ana.send(channel, '/belay watch all');
    await ana.see(
      () => messagesOf(ana).filter(({ text }) => text.includes('Watch added.'))[index],
      'that the watch was added',
    );
  }
  raise('a1');
  await poll();
  await poll();
  const copies = messagesOf(ana).filter(({ text }) => text.includes('volume a1'));
  expect(copies).toHaveLength(2);
  const [posted] = copies;
  if (!posted) throw new Error('The alert was not posted.');
  return { ...stage, posted };
}

function copiesOf(person: Actor) {
  return messagesOf(person).filter(
    ({ text, channelId }) => text.includes('volume a1') && channelId.startsWith('C'),
  );
}

describe('the owner of an alert', () => {
  it('is who acknowledges it first, in one click, and is shown on every copy', async () => {
    const { ana, ben, posted, deliver } = await startOwning();
    expect(buttonTexts(posted)).toEqual(['Acknowledge', 'View details']);
    await ben.press(posted, 'Acknowledge');
    const shown = await seeAgain(ana, posted, `Owner: <@${people.ben}> since `);
    expect(buttonTexts(shown)).toEqual(['View details']);
    await deliver();
    await deliver();
    for (const { text } of copiesOf(ana)) expect(text).toContain(`Owner: <@${people.ben}>`);
    await ana.press(posted, 'Acknowledge');
    await ana.seeMessage(`<@${people.ben}> already owns this alert (since `);
  });

  it('is one, however many click at once', async () => {
    const { ana, ben, cleo, posted } = await startOwning();
    await Promise.all([ana, ben, cleo, ana, ben].map((one) => one.press(posted, 'Acknowledge')));
    const shown = await seeAgain(ana, posted, 'Owner: ');
    const [, owner] = /Owner: <@(\w+)>/.exec(shown.text) ?? [];
    for (const [id, one] of Object.entries({ ana, ben, cleo })) {
      if (people[id as 'ana'] !== owner)
        await one.seeMessage(`<@${owner}> already owns this alert`);
    }
  });

  it('is mentioned in the thread when it is raised again or gets worse', async () => {
    const { ben, posted, raise, poll, deliver } = await startOwning();
    await ben.press(posted, 'Acknowledge');
    await seeAgain(ben, posted, 'Owner: ');
    await deliver();
    const again = { raised_count: 2, severity: 'warning' };
    raise('a1', { ...again, updated_timestamp: seconds(600).toISOString() });
    await poll();
    await poll();
    const reply = await ben.seeMessage(`<@${people.ben}> is the owner of this alert.`);
    expect(reply.text).toContain('Raised again, 2 times so far');
    expect(reply.threadTs).toBeDefined();
    await seeAgain(ben, posted, 'raised again since');
    raise('a1', {
      raised_count: 2,
      severity: 'error',
      updated_timestamp: seconds(900).toISOString(),
    });
    await poll();
    await poll();
    const replies = messagesOf(ben).filter(({ text }) =>
      text.includes('is the owner of this alert'),
    );
    expect(replies.at(-1)?.text).toContain('Severity changed from warning to error');
  });

  it('is nobody anymore once the alert is cleared', async () => {
    const { ben, posted, raise, poll, deliver } = await startOwning();
    await ben.press(posted, 'Acknowledge');
    await seeAgain(ben, posted, 'Owner: ');
    await deliver();
    const cleared = { status: 'cleared', cleared_timestamp: seconds(600).toISOString() };
    raise('a1', { ...cleared, updated_timestamp: seconds(600).toISOString() });
    await poll();
    await poll();
    const gone = await seeAgain(ben, posted, 'Cleared');
    expect(gone.text).not.toContain('Owner: ');
    raise('a1', { raised_count: 2, updated_timestamp: seconds(1200).toISOString() });
    await poll();
    await poll();
    const again = await seeAgain(ben, posted, 'raised 2 times');
    expect(again.text).not.toContain('Owner: ');
    expect(buttonTexts(again)).toEqual(['Acknowledge', 'View details']);
  });

  it('can be another person, who gets a direct message; approvers can release the alert', async () => {
    const { ana, ben, cleo, posted, deliver } = await startOwning();
    await ana.press(posted, 'View details');
    await ana.press(await ana.seeDialog('Alert ID'), 'Assign…');
    const form = await ana.seeDialog('Belay sends them a direct message.');
    await ana.submit(form, { person: { input: people.gus } });
    await ana.seeMessage(`<@${people.gus}> can't use Belay in this workspace.`);
    await ana.press(posted, 'View details');
    await ana.press(await ana.seeDialog('Alert ID'), 'Assign…');
    const second = await ana.seeDialog('Belay sends them a direct message.');
    await ana.submit(second, { person: { input: people.cleo } });
    await ana.seeMessage(`<@${people.cleo}> now owns this alert`);
    await deliver();
    const message = await cleo.seeMessage(`<@${people.ana}> assigned an alert to you.`);
    await cleo.press(message, 'View details');
    expect(buttonTexts(await cleo.seeDialog('Alert ID'))).toContain('Release');

    await ana.press(posted, 'View details');
    expect(buttonTexts(await ana.seeDialog('Alert ID'))).not.toContain('Release');
    await ben.press(posted, 'View details');
    await ben.press(await ben.seeDialog('Alert ID'), 'Release');
    const details = await ben.seeDialog('Acknowledge');
    expect(buttonTexts(details)).toContain('Acknowledge');
    await ben.press(details, 'Acknowledge');
    await ben.seeDialog(`Owner: <@${people.ben}>`);
  });

  it('is shown in lists, which have a menu to acknowledge what nobody owns', async () => {
    const { ana, ben, posted } = await startOwning({ dialect: 'documented' });
    await ana.send('ops', '/belay alerts "volume a1"');
    const list = await ana.seeMessage('1 active: ');
    await ana.press(list, 'volume a1 · Policy violated: Backup failed');
    await ana.seeMessage('You now own this alert');
    await ana.send('ops', '/belay alerts "volume a1"');
    const owned = await ana.seeMessage(`Owner: <@${people.ana}>`);
    expect(JSON.stringify(owned.blocks)).not.toContain('Acknowledge…');
    await ben.press(posted, 'Acknowledge');
    await ben.seeMessage('already owns this alert');
  });
});
