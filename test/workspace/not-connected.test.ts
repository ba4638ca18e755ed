import { expect, test } from 'vitest';
import { buttonTexts } from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld({ isSetUp: false });

test.each([
  'alerts',
  'compliance',
  'users ana',
  'disable ana',
  'enable ana',
  'rename ana',
  'delete ana',
])('/belay %s says that Belay is not connected and who can connect it', async (text) => {
  const { ana, service } = world();
  await ana.send('ops', `/belay ${text}`);
  const answer = await ana.seeMessage("Belay isn't connected to the data-protection service.");
  expect(answer.text).toContain('An admin can connect Belay with `/belay setup`.');
  expect(answer.isEphemeral).toBe(true);
  expect(ana.snapshot().views).toEqual([]);
  expect(service.requests).toEqual([]);
});

test('the overview and Home lead to the setup, without empty sections', async () => {
  const { ana, cleo } = world();
  await ana.send('ops', '/belay');
  const overview = await ana.seeMessage('Ask an admin of this workspace to set it up.');
  expect(buttonTexts(overview)).toEqual(['Help']);
  await cleo.send('ops', '/belay');
  const admins = await cleo.seeMessage('Connect it with a region and an API token.');
  expect(buttonTexts(admins)).toEqual(['Set up Belay', 'Help']);
  await cleo.press(admins, 'Set up Belay');
  await cleo.close(await cleo.seeDialog('Region'));
  await cleo.openHome();
  const home = await cleo.seeHome('*Not connected*');
  expect(JSON.stringify(home)).not.toMatch(/open requests|Your channels/);
  expect(buttonTexts(home)).toEqual(['Set up Belay', 'Help']);
});

test('the first setup requires a token and connects', async () => {
  const { ana, cleo, portal } = world();
  await cleo.send('ops', '/belay setup');
  const form = await cleo.seeDialog('Portal where you sign in');
  const outcome = await cleo.submit(form, {});
  expect(outcome.result).toBe('refused');
  expect(
    Object.keys((await cleo.seeDialog('Please complete this required field.')).errors),
  ).toEqual(['token']);
  await cleo.close(form);

  await changeSetup(cleo, { region: portal.id, token: portal.token });
  await ana.send('ops', '/belay users ana.silva@example.com');
  await ana.seeMessage("Each change needs a second person's approval.");
});
