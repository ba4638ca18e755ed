import { expect, it, onTestFinished } from 'vitest';
import { ask, buttonTexts, seeAgain, withdraw } from '../../support/ask.ts';
import { patienceMs } from '../../support/patience.ts';
import { shareWorld } from '../../support/world.ts';

let ahead = 0;
const world = shareWorld({ clock: () => new Date(Date.now() + ahead) });

const publishedFor = (slackUserId: string) =>
  world().slack.calls.filter(
    ({ method, arguments: given }) => method === 'views.publish' && given.user_id === slackUserId,
  );

it('shows a part that fails as unavailable, and all the others', async () => {
  const { ana, ben, slack } = world();
  await ana.send('random', '/belay watch all');
  await ana.seeMessage('Watch added.');
  slack.failNext('conversations.members', 'internal_error');
  await ben.openHome();
  const home = await ben.seeHome("Couldn't load this section");
  expect(JSON.stringify(home.blocks)).toContain('Your channels');
  await ben.seeHome('You have no open requests.');
  expect(buttonTexts(home)).toEqual(['View alerts', 'Help']);
  await ben.openHome();
  await ben.seeHome('<#C0RANDOM03> · 1 watch');
});

it.each([
  ['views.publish', { retryAfterSeconds: 1 }],
  ['users.info', { retryAfterSeconds: 1 }],
  ['views.publish', 'internal_error'],
  ['views.publish', { isAnswerLost: true }],
] as const)('publishes after %s has failed with %o', async (method, fault) => {
  const { ben, slack } = world();
  slack.failNext(method, fault);
  await ben.openHome();
  await ben.seeHome('You have no open requests.');
  await expect
    .poll(() => publishedFor(ben.slackUserId).at(-1)?.result.ok, { timeout: patienceMs })
    .toBe(true);
});

it('gives up on people who are gone, and on an app without a Home tab', async () => {
  const { ana, ben, slack } = world();
  for (const error of ['user_not_found', 'not_enabled']) {
    slack.failNext('views.publish', error);
    await ben.openHome();
    await expect.poll(() => publishedFor(ben.slackUserId).at(-1)?.result.error).toBe(error);
  }
  const before = publishedFor(ben.slackUserId).length;
  await ana.openHome();
  await ana.seeHome('You have no open requests.');
  const request = await ask(ana, '/belay disable sven.moreau@example.com');
  await ana.seeHome('Your open requests (1)');
  expect(publishedFor(ben.slackUserId)).toHaveLength(before);
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Withdrawn');
});

it('shows how many alerts a person owns, as soon as that changes', async () => {
  const { ben } = world();
  await ben.openHome();
  await ben.seeHome('You own 0 alerts');
  await ben.send('ops', '/belay desk');
  await ben.press(await ben.seeMessage('Errors without an owner'), 'Acknowledge');
  await ben.seeHome('You own 1 alert');
});

it('ignores the tab with the messages', async () => {
  const { ben, slack } = world();
  const event = { type: 'app_home_opened', user: ben.slackUserId, tab: 'messages' };
  await slack.deliver('events_api', {
    type: 'event_callback',
    team_id: 'T0HARBOR01',
    event_id: 'Ev1',
    event,
    authorizations: [{ team_id: 'T0HARBOR01', is_enterprise_install: false }],
  });
  await ben.send('ops', '/belay help');
  await ben.seeMessage('What Belay can do');
  expect(publishedFor(ben.slackUserId)).toEqual([]);
});

it('removes the content for a person who became a guest, at the next update', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, '/belay disable sven.moreau@example.com');
  await ben.openHome();
  await ben.seeHome('Waiting for your decision (1)');
  slack.setPerson(ben.slackUserId, { isGuest: true });
  onTestFinished(() => slack.setPerson(ben.slackUserId, { isGuest: false }));
  ahead += 61_000;
  await withdraw(ana, request);
  const home = await ben.seeHome("Guests and people from other workspaces can't use Belay.");
  expect(JSON.stringify(home.blocks)).not.toContain('Sven');
});
