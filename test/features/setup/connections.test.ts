import { expect, test } from 'vitest';
import type { Message } from '../../../playground/slack/protocol.ts';
import { addEast, confirmChange } from '../../support/add-connection.ts';
import { ask, buttonTexts, messagesOf, newMessages, seeAgain } from '../../support/ask.ts';
import { startWorld } from '../../support/world.ts';

const blocksOf = (message: Message) => JSON.stringify(message.blocks);

test('a second connection is added with approval, used with on:, pinned, made default, removed', async () => {
  const world = await startWorld({ callLimits: { command: 1000, click: 1000 } });
  const { ana, ben, cleo, service } = world;
  const [west, east] = service.portals;
  const eastUser = service.users(east?.id ?? '').find(({ is_enabled }) => is_enabled);
  if (!west || !east || !eastUser) throw new Error('no such portal or user');

  // With one connection nothing names it.
  await ana.send('ops', '/belay alerts');
  const alone = await ana.seeMessage('Active alerts');
  expect(blocksOf(alone)).not.toContain('main');

  await addEast(world);
  await ana.send('ops', '/belay connection');
  const list = await ana.seeMessage('*east*');
  expect(blocksOf(list)).toMatch(/\*main\* · default · used in this channel.*\*east\*/s);
  expect(buttonTexts(list)).toEqual([]);

  await cleo.send('ops', '/belay doctor all');
  await cleo.seeMessage('*east* · The service accepts the API token');
  await cleo.send('ops', '/belay audit event:connection_added');
  await cleo.seeMessage('*added the connection* *east*');

  // A command, and what is clicked in its answer, are about the connection that was typed.
  await ana.send('ops', `/belay users ${eastUser.email} on:EAST`);
  const card = await ana.seeMessage(`Connection: east`);
  expect(blocksOf(card)).toContain(eastUser.email);
  await ana.send('ops', `/belay users ${eastUser.email}`);
  await ana.seeMessage('Connection: main');
  const request = await ask(ana, `/belay disable ${eastUser.email} on:east`);
  expect(blocksOf(request)).toContain(' · east');
  await ana.send('ops', '/belay requests on:main');
  await ana.seeMessage('*You have no open requests*');
  await ana.send('ops', '/belay requests on:east');
  await ana.seeMessage('*1 open request*');
  await ben.press(request, 'Approve');
  const done = await seeAgain(ana, request, 'is disabled');
  const isEnabled = () => service.users(east.id).find(({ id }) => id === eastUser.id)?.is_enabled;
  expect(isEnabled()).toBe(false);
  await ana.press(done, 'Re-enable');
  const form = await ana.seeDialog('Connection: *east*');
  await ana.close(form);

  // An approver pins the channel.
  await ana.send('ops', '/belay connection use east');
  await ana.seeMessage('Only approvers and admins can set the connection of a channel.');
  await ben.send('ops', '/belay connection use east');
  await ben.seeMessage('Commands in this channel now use the connection *east*.');
  await ana.send('ops', '/belay alerts');
  await ana.seeMessage(/"Alerts · east|Connection: \*east\*/);
  await cleo.send('ops', '/belay audit event:channel_pinned');
  await cleo.seeMessage(/\*set the connection\* of <#C\w+> to \*east\*/);

  // The default one changes, with approval, and the other can be removed, which voids its requests.
  const waiting = await ask(ana, `/belay enable ${eastUser.email}`);
  await cleo.send('ops', '/belay connection');
  const shown = await cleo.seeMessage('*east* · used in this channel');
  await cleo.press(shown, 'Make default');
  await confirmChange(world);
  await cleo.send('ops', '/belay connection');
  const swapped = await cleo.seeMessage('*east* · default');
  await cleo.press(swapped, 'Make default');
  await confirmChange(world);
  await cleo.send('ops', '/belay connection');
  await cleo.press(
    await cleo.see(() =>
      messagesOf(cleo).findLast((one) => blocksOf(one).includes('*main* · default')),
    ),
    'Remove',
  );
  await cleo.seeDialog('Watches, mutes, digests and restore drills on this connection end');
  await confirmChange(world);
  await seeAgain(ana, waiting, 'The connection to the service was changed');
});

test('buttons that run commands answer from the connection of their message', async () => {
  const world = await startWorld({ callLimits: { command: 1000, click: 1000 } });
  const { ana } = world;
  await addEast(world);
  const press = async (overview: Message) => {
    const seeNew = newMessages(ana);
    const view = buttonTexts(overview).find((text) => /^View (?:\d+ errors?|alerts)$/.test(text));
    await ana.press(overview, view ?? '');
    const answer = await seeNew(() => true);
    return answer.text.match(/Connection: \w+/g);
  };
  await ana.send('ops', '/belay on:east');
  const ofEast = await ana.seeMessage('Overview · east');
  await ana.send('ops', '/belay');
  const ofMain = await ana.seeMessage('Overview · main');
  expect(await press(ofEast)).toEqual(['Connection: east']);
  expect(await press(ofMain)).toEqual(['Connection: main']);
});
