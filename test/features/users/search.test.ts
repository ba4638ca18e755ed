import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

function userByEmail(email: string) {
  const { service, portal } = world();
  const user = service.users(portal.id).find((one) => one.email === email);
  if (!user) throw new Error(`no user ${email}`);
  return user;
}

const menuBlock = z.looseObject({
  type: z.literal('actions'),
  block_id: z.string(),
  elements: z.tuple([
    z.looseObject({
      options: z.array(z.object({ value: z.string(), text: z.looseObject({ text: z.string() }) })),
    }),
  ]),
});

/** The menu below a table of users. */
function menuOf(blocks: unknown[] = []) {
  const { block_id: blockId, elements } = menuBlock.parse(blocks.at(-2));
  return { blockId, options: elements[0].options };
}

/** The header of a card is the one text that is the name alone. */
const cardOf = (fullName: string) => `"text":"${fullName}"`;

test('lists several users with their states and buttons', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users ana');
  const list = await ana.seeMessage('3 users match “ana”.');
  expect(list.isEphemeral).toBe(true);
  const shown = JSON.stringify(list.blocks);
  expect(shown).toContain('*Ana Silva* (ana.silva@example.com)\\nEnabled');
  expect(shown).toContain('*Joana Prado*');
  expect(shown).toContain('*Mariana Costa* (mariana.costa@example.com)\\nDisabled');

  await ana.press(list, 'View user');
  const card = await ana.seeMessage(cardOf('Ana Silva'));
  expect(card.isEphemeral).toBe(true);
});

test('lists more than three users as a table, with a menu that opens a card', async () => {
  const { ana, slack } = world();
  await ana.send('ops', '/belay users example.com');
  const { blocks, channelId, messageTs } = await ana.seeMessage('users match “example.com”.');
  const table = blocks?.find(({ type }) => type === 'table');
  const titles = ['Name', 'Email', 'State', 'Last activity'];
  expect(table).toMatchObject({ rows: [titles.map((text) => ({ text })), ...Array(15).fill({})] });
  const menu = menuOf(blocks);
  expect(menu.options).toHaveLength(15);

  // By name. Those before have markup in theirs.
  const option = menu.options.find(({ text }) => text.text.startsWith('Ana'));
  await slack.perform(people.ana, {
    type: 'act',
    container: { kind: 'message', channelId, messageTs },
    blockId: menu.blockId,
    actionId: 'users.show',
    value: option?.value ?? '',
  });
  const card = await ana.seeMessage("Each change needs a second person's approval.");
  expect(option?.text.text).toContain(card.text.split('\n')[0]);
});

test('one user: the card shows every field of the service', async () => {
  const { ana } = world();
  const silva = userByEmail('ana.silva@example.com');
  await ana.send('ops', '/belay users silva');
  const card = await ana.seeMessage(cardOf('Ana Silva'));
  const shown = JSON.stringify(card.blocks);
  expect(shown).toContain('*Email*\\nana.silva@example.com');
  expect(shown).toContain('✅ *Enabled*');
  expect(shown).toContain('*Confirmed*\\nyes');
  expect(shown).toContain(`*User ID*\\n\`${silva.id}\``);
  expect(shown).toContain(`*Invited by (user ID)*\\n\`${silva.inviter}\``);
  const seconds = Math.floor(Date.parse(silva.last_activity_timestamp ?? '') / 1000);
  expect(shown).toContain(`*Last activity*\\n<!date^${seconds}^`);
  expect(buttonTexts(card)).toEqual(['Disable…', 'Rename…', 'Delete…']);
  expect(shown).toContain("Each change needs a second person's approval.");
});

test('a disabled user can be re-enabled from the card, not disabled', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users mariana.costa@example.com');
  const card = await ana.seeMessage(cardOf('Mariana Costa'));
  expect(buttonTexts(card)).toEqual(['Re-enable…', 'Rename…', 'Delete…']);
});

test('finds one user by the exact id', async () => {
  const { ana } = world();
  const { id } = userByEmail('joana.prado@example.com');
  await ana.send('ops', `/belay users ${id}`);
  await ana.seeMessage(cardOf('Joana Prado'));
});

test.each(['ANA SILVA', 'ana   silva', 'Ána Sílva', 'Ana.Silva@Example.COM'])(
  'ignores case, accents and whitespace: %s',
  async (query) => {
    const { ana } = world();
    await ana.send('ops', `/belay users ${query}`);
    await ana.seeMessage(cardOf('Ana Silva'));
  },
);

test('says when no user matches', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users zzyzx');
  await ana.seeMessage('No user matches “zzyzx”. Try part of the name or the email address');
});

test('lists all users page by page if no name is given', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users');
  const first = await ana.seeMessage('*240 users*. 1-15 of 240.');
  expect(menuOf(first.blocks).options).toHaveLength(15);
  expect(buttonTexts(first)).toEqual(['Next', 'Refresh']);
  await ana.press(first, 'Next');
  await seeAgain(ana, first, '16-30 of 240.');
});

test('lists the users in a state, with or without a name', async () => {
  const { ana, service, portal } = world();
  const users = service.users(portal.id);
  const disabled = users
    .filter(({ is_enabled }) => is_enabled === false)
    .toSorted((one, other) => one.full_name.localeCompare(other.full_name));
  await ana.send('ops', '/belay users disabled');
  const list = await ana.seeMessage(`*${disabled.length} disabled user`);
  expect(disabled.length).toBeGreaterThan(0);
  for (const { email } of disabled.slice(0, 15)) expect(JSON.stringify(list)).toContain(email);
  await ana.send('ops', '/belay users costa inactive');
  await ana.seeMessage('1 disabled user matches “costa”.');
  await ana.send('ops', '/belay users invited zzyzx');
  await ana.seeMessage('No invited user matches “zzyzx”.');
});

describe('an unusual query finds no users:', () => {
  test.each([
    '../alerts',
    '..',
    '%2e%2e',
    '%2e%2e/alerts',
    'users/8',
    '8/../8',
    '8?start=1',
    '8#x',
    'a zz b',
    '🚨',
    '`code`*bold*',
    '<!channel> zzyzx',
    "Robert'); DROP TABLE",
    '%',
    '\u202e8',
    'x'.repeat(3000),
  ])('%j', async (query) => {
    const { ana, service } = world();
    await ana.send('ops', `/belay users ${query}`);
    const message = await ana.seeMessage('No user matches “');
    const isProgress = ({ text }: Message) => text.startsWith('Working on it');
    expect(messagesOf(ana).filter((one) => !isProgress(one))).toHaveLength(1);
    expect(JSON.stringify(message)).not.toContain('<!channel>');
    const foreign = service.requests.filter(({ path }) => !/^\/users([/?]|$)/.test(path));
    expect(foreign).toEqual([]);
    const status = service.requests.map((request) => request.status);
    expect(status.filter((one) => one !== 200 && one !== 404)).toEqual([]);
  });
});

describe('a mention', () => {
  test('is resolved to the email address of that person', async () => {
    const { ben, slack } = world();
    slack.setPerson(people.ana, { email: 'ana.silva@example.com' });
    await ben.send('ops', '/belay users @ana');
    await ben.seeMessage(cardOf('Ana Silva'));
  });

  test('of a person who is not a user shows which address was searched', async () => {
    const { ben } = world();
    await ben.send('ops', '/belay users @ana');
    await ben.seeMessage('No user matches “ana@harbor.example” or “');
  });

  test('of a person without a visible address is searched by name', async () => {
    const { ana, slack } = world();
    slack.setPerson(people.ben, { email: '' });
    await ana.send('ops', '/belay users @ben');
    await ana.seeMessage(cardOf('Ben Carter'));
  });

  test.each(['@Ben Carter', '@ben please'])('%s finds the person', async (typed) => {
    const { ana } = world();
    await ana.send('ops', `/belay users ${typed}`);
    await ana.seeMessage(cardOf('Ben Carter'));
  });

  test('of a channel or a group never shows its markup', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay users #ops zzyzx');
    const answer = await ana.seeMessage('No user matches “#ops zzyzx”.');
    expect(answer.text).not.toContain('C0OPS00001');
  });

  test.each(['rename', 'disable'])(
    'of a person without a visible address is reported: %s',
    async (name) => {
      const { ben, slack, service } = world();
      slack.setPerson(people.ana, { email: '' });
      await ben.send('ops', `/belay ${name} @ana`);
      const message = await ben.seeMessage(
        "Slack doesn't show Belay the email address of <@U0ANA00001>",
      );
      expect(message.text).toContain('Type the address instead of the mention.');
      expect(ben.snapshot().views).toEqual([]);
      expect(service.requests).toEqual([]);
    },
  );
});

test('a state in quotation marks is part of a name', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users "Active Directory"');
  await ana.seeMessage('No user matches “Active Directory”.');
  await ana.send('ops', '/belay users disabled "mariana costa"');
  await ana.seeMessage('mariana.costa@example.com');
});
