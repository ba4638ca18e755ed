import { expect, it } from 'vitest';
import { addEast } from '../../support/add-connection.ts';
import { shortIntervals, startWorld } from '../../support/world.ts';
import { textsOf } from '../message-parts.ts';
import { serviceAlert } from '../watches/poll-stage.ts';

it('counts your alerts by connection, and opens the desk of that connection', async () => {
  const world = await startWorld({ callLimits: { command: 1000, click: 1000 } });
  const { ana } = world;
  await addEast(world);
  await ana.openHome();
  await ana.seeHome('You own 0 alerts · 0 snoozed');
  await ana.send('ops', '/belay desk on:east');
  await ana.press(await ana.seeMessage('Alert desk'), 'Acknowledge');
  await ana.seeMessage('You now own this alert');
  await ana.openHome();
  const home = await ana.seeHome('*east* · You own 1 alert · 0 snoozed');
  expect(textsOf(home.blocks).join('\n')).not.toContain('You own 0 alerts');
  await ana.press(home, 'View alerts');
  const desk = await ana.seeDialog('Yours: 1');
  expect(JSON.stringify(desk.blocks)).toContain('Connection: *east*');
});

it('shows the held alerts of a mute on the connection of the mute', async () => {
  const world = await startWorld({
    callLimits: { command: 1000, click: 1000 },
    intervals: shortIntervals,
  });
  const { ana, service } = world;
  await addEast(world);
  await ana.send('ops', '/belay watch all on:east');
  await ana.seeMessage('Watch added.');
  await ana.send('ops', '/belay mute type:policy_violated for 1h on:east');
  const form = await ana.seeDialog('Mute alerts');
  await ana.submit(form, { reason: { input: 'Maintenance' } });
  await ana.seeMessage(`<@${ana.slackUserId}> muted alerts`);
  const raise = (id: string, severity: string) =>
    service.putAlert(service.portals[1]?.id ?? '', serviceAlert(id, new Date(), { severity }));
  raise('held', 'warning');
  // Errors aren't muted. Once this one is posted, Belay has read the other too.
  raise('posted', 'error');
  await ana.seeMessage('volume posted');

  // Unlike its items, these answers are about the connection of the channel.
  for (const [command, answer] of [
    ['/belay mute', '1 mute in this channel'],
    ['/belay desk', 'Mutes in this channel: 1'],
  ] as const) {
    await ana.send('ops', command);
    const list = await ana.seeMessage(answer);
    await ana.press(list, 'View held alerts');
    const held = await ana.seeMessage('1 held alert');
    expect(held.text).toContain('Connection: east');
    await ana.press(held, 'View details');
    await ana.close(await ana.seeDialog('Alert ID'));
    await ana.dismiss(held);
  }
});
