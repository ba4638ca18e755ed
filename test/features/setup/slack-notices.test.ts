import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { changeSetup } from '../../support/set-up.ts';
import { startWorld } from '../../support/world.ts';

test('setup says whose e-mail address Slack does not show', async () => {
  const { cleo, slack, workspace } = await startWorld();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ana, people.ben] }));
  let usersPerHour = 10;
  const save = async () => {
    usersPerHour -= 1;
    const saved = await changeSetup(cleo, { usersPerHour: String(usersPerHour) });
    await cleo.close(saved);
    return JSON.stringify(saved.blocks);
  };
  expect(await save()).not.toContain('email address');

  slack.setPerson(people.ben, { email: ' ' });
  expect(await save()).toContain(`the email address of <@${people.ben}>.`);

  workspace.app.scopes = workspace.app.scopes.filter((scope) => scope !== 'users:read.email');
  const all = [people.cleo, people.ana, people.ben].map((id) => `<@${id}>`).join(', ');
  const shown = await save();
  expect(shown).toContain(`the email address of ${all}.`);
  expect(shown).toContain('Check the scope `users:read.email` of the Belay app');
});

test('setup names the scopes that installing the app again would add', async () => {
  const { cleo, workspace } = await startWorld();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ana, people.ben] }));
  let usersPerHour = 10;
  const save = async () => {
    usersPerHour -= 1;
    const saved = await changeSetup(cleo, { usersPerHour: String(usersPerHour) });
    await cleo.close(saved);
    return JSON.stringify(saved.blocks);
  };
  expect(await save()).not.toContain('Install the app again');

  workspace.app.scopes = workspace.app.scopes.filter((scope) => scope !== 'im:history');
  const shown = await save();
  expect(shown).toContain('the bot token lacks `im:history`. Install the app again');
});
