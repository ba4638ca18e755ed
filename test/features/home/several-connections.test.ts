import { expect, it } from 'vitest';
import { addEast } from '../../support/add-connection.ts';
import { startWorld } from '../../support/world.ts';
import { textsOf } from '../message-parts.ts';

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
