import { expect, it } from 'vitest';
import { ask, buttonTexts, heardBack, seeAgain, withdraw } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';
import { textsOf } from '../message-parts.ts';

const world = shareWorld();

const textOf = (home: Parameters<typeof buttonTexts>[0]) => textsOf(home.blocks).join('\n');

// First, because updates after which nobody clicks wait once 30 tabs were published within a minute.
it('asks for the reason of a denial in a form', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, '/belay disable sven.moreau@example.com');
  await ben.openHome();
  await ben.press(await ben.seeHome('Sven Moreau'), 'Deny');
  const form = await ben.seeDialog('Reason');
  await ben.submit(form, { reason: { input: 'Sven is only on leave' } });
  await seeAgain(ben, request, 'Denied');
  await ben.seeHome('No requests are waiting for your decision.');
  await heardBack(ana);
});

it('lists watches and digests of the channels that a person is in', async () => {
  const { ana, ben } = world();
  await ana.send('random', '/belay watch all');
  await ana.seeMessage('Watch added.');
  await ben.openHome();
  await ben.seeHome('<#C0RANDOM03> · 1 watch');
  await ana.send('random', '/belay watch');
  const watches = await ana.seeMessage('1 watch in this channel');
  await ana.press(watches, 'End watch');
  await ben.seeHome('Nothing is set up in your channels.');
});

it('shows an approver all that a decision rests on, and takes the decision', async () => {
  const { ana, ben, slack } = world();
  await ask(ana, '/belay disable sven.moreau@example.com');
  await ben.openHome();
  const home = await ben.seeHome('Waiting for your decision (1)');
  expect(textOf(home)).toMatch(/Requested by\* <@U0ANA00001>\n&gt; Left the company on Friday/);
  expect(textOf(home)).toContain("✓ Requester isn't this user");
  expect(textOf(home)).toMatch(/Disable \*Sven Moreau\*.* · <https:[^|]+\|View request>/);
  expect(buttonTexts(home)).toEqual([
    'Approve',
    'Approve with comment…',
    'Deny',
    'View alerts',
    'Help',
  ]);

  await ben.press(home, 'Approve');
  await heardBack(ana);
  await ben.seeHome('No requests are waiting for your decision.');
  const after = await ben.seeHome('✅ Completed · Disable *Sven Moreau*');
  expect(textOf(after)).toMatch(
    /✅ Completed · Disable \*Sven Moreau\*.* · requested by <@U0ANA00001> · <!date.*\|View request>/,
  );
  const answers = slack.calls.filter(({ arguments: { user } }) => user === ben.slackUserId);
  expect(answers.map(({ method }) => method)).not.toContain('chat.postEphemeral');
});

it('shows requesters their own requests only, until they withdraw them', async () => {
  const { ana, ben, cleo } = world();
  const other = await ask(cleo, '/belay disable sven.moreau@example.com');
  const request = await ask(ana, '/belay delete joana.prado@example.com', {
    email: { input: 'joana.prado@example.com' },
  });
  await ana.openHome();
  const home = await ana.seeHome('Your open requests (1)');
  expect(textOf(home)).toMatch(/Delete \*Joana Prado\*.* · ⏳ Pending · expires <!date\^/);
  expect(textOf(home).split('Recent requests')[0]).not.toContain('Sven Moreau');
  expect(buttonTexts(home)).toEqual(['Withdraw', 'View alerts', 'Help']);
  await ana.press(home, 'Withdraw');
  await seeAgain(ben, request, 'Withdrawn');
  await ana.seeHome('You have no open requests.');

  // An admin who is no approver decides nothing, but can open setup.
  await cleo.openHome();
  const admins = await cleo.seeHome('Your open requests (1)');
  expect(buttonTexts(admins)).toEqual(['Withdraw', 'View alerts', 'Settings', 'Help']);
  await cleo.press(admins, 'Withdraw');
  await seeAgain(ben, other, 'Withdrawn');
});

it('opens help, and setup for admins', async () => {
  const { cleo } = world();
  await cleo.openHome();
  const home = await cleo.seeHome('✅ *Connected*');
  await cleo.press(home, 'Help');
  await cleo.press(await cleo.seeDialog('What Belay can do'), 'Alerts');
  const topic = await cleo.seeDialog('*Filters*, in any order');
  await cleo.press(topic, 'All topics');
  await cleo.close(await cleo.seeDialog('What Belay can do'));
  // It may have been published again by now.
  await cleo.press(await cleo.seeHome('✅ *Connected*'), 'Settings');
  await cleo.seeDialog('Approvals channel');
});

it.each(['gus', 'sam'] as const)('shows %s, who is no full member, nothing', async (name) => {
  const { ana, [name]: outsider } = world();
  const request = await ask(ana, '/belay disable sven.moreau@example.com');
  await outsider.openHome();
  const home = await outsider.seeHome("can't use Belay");
  expect(home.blocks).toHaveLength(1);
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Withdrawn');
});

it('publishes nothing when the tab is opened again and nothing has changed', async () => {
  const { ben, slack } = world();
  await ben.openHome();
  await ben.seeHome('You have no open requests.');
  const count = (method: string) =>
    slack.calls.filter(
      ({ method: called, arguments: { user, user_id } }) =>
        called === method && [user, user_id].includes(ben.slackUserId),
    ).length;
  await expect.poll(() => count('views.publish')).toBe(1);
  const read = count('users.info');
  await ben.openHome();
  await expect.poll(() => count('users.info')).toBe(read + 1);
  // Long enough for a publication.
  await ben.send('ops', '/belay requests');
  await ben.seeMessage('No open requests');
  expect(count('views.publish')).toBe(1);
});

// Last, because Belay remembers for a minute who is a guest.
it('refuses a decision in a dialog, because there is no message to answer below', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, '/belay disable sven.moreau@example.com');
  await ben.openHome();
  const home = await ben.seeHome('Sven Moreau');
  // No longer a full member since the tab was published.
  slack.setPerson(ben.slackUserId, { isGuest: true });
  await ben.press(home, 'Approve');
  await ben.seeDialog("can't use Belay");
  slack.setPerson(ben.slackUserId, { isGuest: false });
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Withdrawn');
});
