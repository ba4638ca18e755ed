import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { people } from '../../../playground/people.ts';
import { takeConnectionName } from '../../../src/slack/interactions/choose-connection.ts';
import type {
  CallContext,
  CommandInteraction,
} from '../../../src/slack/interactions/interaction.ts';
import { routeSubcommands, type Subcommand } from '../../../src/slack/interactions/subcommand.ts';
import { answerOn, readBlockConnection } from '../../../src/slack/ui/answer-connection.ts';
import { actions, button, header, menu, message, notice } from '../../../src/slack/ui/blocks.ts';
import { bindMessage, readMessageTeam } from '../../../src/slack/ui/bound-message.ts';
import { encodeValue } from '../../../src/slack/ui/codec.ts';
import { commandButtons } from '../../../src/slack/ui/command-button.ts';
import { defineForm } from '../../../src/slack/ui/form.ts';
import { textField } from '../../../src/slack/ui/form-fields.ts';
import { openModal } from '../../../src/slack/ui/modal.ts';
import { messagesOf } from '../../support/ask.ts';
import { listen } from './listening.ts';

const origins: Record<string, string> = {
  main: '00000000-0000-4000-8000-000000000001',
  europe: '00000000-0000-4000-8000-000000000002',
};

const twoConnections: CallContext['chooseConnection'] = async ({ name, originId }) => {
  const names = Object.keys(origins);
  const byOrigin = names.find((one) => origins[one] === originId);
  const chosen = originId ? byOrigin : (name ?? 'main');
  return chosen && origins[chosen]
    ? { originId: origins[chosen], name: chosen }
    : { refused: originId ? 'removed' : 'unknown-name', names };
};

const form = defineForm('test.submit', {
  metadata: z.object({}),
  fields: { name: textField({ label: 'Name', maxLength: 9 }) },
});

/** `/belay list`, whose answer has a button, a menu and a form. */
async function start(about?: Subcommand['about']) {
  const at = await listen(undefined, twoConnections);
  const seen: unknown[] = [];
  const list = async ({ text, connection }: CommandInteraction) => {
    seen.push({ text, connection });
    return message([
      header('List'),
      actions([
        button({ text: 'Next', actionId: 'test.next', value: encodeValue({ page: 2 }) }),
        ...commandButtons([{ text: 'Again', line: 'list' }]),
        button({ text: 'Form', actionId: 'test.form', value: encodeValue({ page: 2 }) }),
        menu({
          actionId: 'test.menu',
          placeholder: 'View',
          options: [{ value: encodeValue({ page: 3 }), text: 'Three' }],
        }),
      ]),
    ]);
  };
  const value = z.strictObject({ page: z.number() });
  at.listeners.action('test.next', value, async ({ connection }) => {
    seen.push(connection);
    return { reply: notice('The next page') };
  });
  at.listeners.action('test.menu', value, async ({ connection }) => {
    seen.push(connection);
    return undefined;
  });
  at.listeners.action('test.form', value, async (call) => {
    const blocks = [form.fields.name.block()];
    await openModal(call, form.modal({ title: 'Form', submit: 'Save', metadata: {}, blocks }));
    return undefined;
  });
  at.listeners.form(form, {
    async run({ connection }) {
      seen.push(connection);
      return notice('Saved');
    },
  });
  const command = { name: 'list', usage: 'list', summary: 'List', run: list };
  routeSubcommands(at.listeners, '/belay', {
    subcommands: [about ? { ...command, about } : command],
    fallback: { run: async () => notice('Overview') },
    read: (line) => ({ line }),
    choose: ({ why }) => notice(why),
    unknown: () => notice('Unknown command'),
  });
  const ana = at.person(people.ana);
  return { at, ana, seen };
}

const europe = { originId: origins.europe, name: 'europe', isNamed: true };

it('a command, its buttons, menus and forms are about the connection that was typed', async () => {
  const { at, ana, seen } = await start();
  await ana.send('ops', '/belay list severity:error on:europe');
  const list = await ana.seeMessage('List · europe');
  expect(list.text).toBe('List\nConnection: europe');
  await ana.press(list, 'Next');
  await ana.seeMessage('Connection: *europe*');
  const { channelId, messageTs, blocks = [] } = list;
  await at.slack.perform(people.ana, {
    type: 'act',
    container: { kind: 'message', channelId, messageTs },
    blockId: blocks[1]?.block_id ?? '',
    actionId: 'test.menu',
    confirmed: true,
    value: encodeValue({ page: 3 }),
  });
  await ana.press(list, 'Form');
  const form = await ana.seeDialog('Connection: *europe*');
  await ana.submit(form, { name: { input: 'x' } });
  await ana.seeMessage('Saved');
  expect(seen).toEqual([{ text: 'severity:error', connection: europe }, europe, europe, europe]);
});

it('a button that runs a command is about the connection of its answer, named once', async () => {
  const { ana, seen } = await start();
  await ana.send('ops', '/belay list on:europe');
  await ana.press(await ana.seeMessage('List · europe'), 'Again');
  const again = await ana.see(() =>
    messagesOf(ana)
      .filter(({ text }) => text.startsWith('List'))
      .at(1),
  );
  expect(again.text).toBe('List\nConnection: europe');
  expect(again.blocks?.[0]).toMatchObject({ text: { text: 'List · europe' } });
  await ana.press(again, 'Next');
  await ana.seeMessage('The next page');
  expect(seen).toEqual([
    { text: '', connection: europe },
    { text: '', connection: europe },
    europe,
  ]);
});

it('an unknown name is refused with the names that exist', async () => {
  const { ana, seen } = await start();
  await ana.send('ops', '/belay list on:asia');
  await ana.seeMessage('No connection is named `asia`. Connections: `main`, `europe`.');
  expect(seen).toEqual([]);
});

it('a click in an answer about a removed connection changes nothing', async () => {
  const { ana, seen } = await start();
  await ana.send('ops', '/belay list on:europe');
  const list = await ana.seeMessage('List · europe');
  const { europe: id = '' } = origins;
  delete origins.europe;
  onTestFinished(() => void Object.assign(origins, { europe: id }));
  await ana.press(list, 'Next');
  await ana.seeMessage('The connection that this message is about was removed.');
  expect(seen).toHaveLength(1);
});

it('a button of an earlier version, which names no connection, means the default one', async () => {
  const { at, ana, seen } = await start();
  const next = button({ text: 'Next', actionId: 'test.next', value: encodeValue({ page: 2 }) });
  await ana.press(await at.post(message([actions([next])], 'Drawn earlier')), 'Next');
  expect((await ana.seeMessage('The next page')).text).toBe('The next page');
  expect(seen).toEqual([undefined]);
});

it("answers about the channel's own items are not named, but go on with the connection", async () => {
  const { ana, seen } = await start('items');
  await ana.send('ops', '/belay list on:europe');
  await ana.press(await ana.seeMessage('List'), 'Next');
  expect((await ana.seeMessage('The next page')).text).toBe('The next page');
  const unnamed = { ...europe, isNamed: false };
  expect(seen).toEqual([{ text: '', connection: unnamed }, unnamed]);
});

it('a subcommand about all connections is about one only if it is typed', async () => {
  const { ana, seen } = await start('connections');
  await ana.send('ops', '/belay list');
  expect((await ana.seeMessage('List')).text).toBe('List');
  await ana.send('ops', '/belay list on:main');
  const onMain = await ana.seeMessage('List · main');
  // The line of the button names none.
  await ana.press(onMain, 'Again');
  await ana.see(() => (seen.length === 3 ? true : undefined));
  expect(seen).toMatchObject([
    { connection: undefined },
    { connection: { name: 'main' } },
    { connection: undefined },
  ]);
});

it.each([
  ['on:europe', { text: '', name: 'europe' }],
  ['Gold on:europe  since:2d', { text: 'Gold since:2d', name: 'europe' }],
  ['ON:Europe ana', { text: 'ana', name: 'Europe' }],
  ['policy:"Gold on:europe"', { text: 'policy:"Gold on:europe"', name: undefined }],
  ['“on:europe” disk', { text: '“on:europe” disk', name: undefined }],
  ['two  words', { text: 'two  words', name: undefined }],
  ['season:2', { text: 'season:2', name: undefined }],
  ['on: europe', { problem: 'Type the name of a connection right after `on:`.' }],
  ['on:a on:b', { problem: 'Use `on:` only once.' }],
])('%s is read as a filter and the name of a connection', (typed, read) => {
  expect(takeConnectionName(typed)).toEqual(read);
});

it('buttons come back with the connection and, in an organization, with the workspace', () => {
  const { europe: originId = '' } = origins;
  const next = button({ text: 'Next', actionId: 'test.next', value: encodeValue({ page: 2 }) });
  const connection = { originId, name: undefined, isNamed: true };
  const answer = answerOn(message([actions([next])], 'A list'), connection);
  const bound = bindMessage(answer, { teamId: 'T1', organizationId: 'E1' });
  const [block] = bound.blocks ?? [];
  const blockId = block && 'block_id' in block ? block.block_id : undefined;
  expect(readMessageTeam(blockId)).toBe('T1');
  expect(readBlockConnection(blockId)).toEqual({ originId, isNamed: true });
});
