import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { ask, seeAgain } from '../../support/ask.ts';
import {
  changeSetup,
  openSettings,
  openSetup,
  setupValues,
  submitSetup,
} from '../../support/set-up.ts';
import { shareWorld, startWorld } from '../../support/world.ts';

const world = shareWorld();

test('each form opens with the saved value', async () => {
  const { cleo } = world();
  const form = await openSetup(cleo, 'grace');
  expect(JSON.stringify(form.blocks)).toContain('"initial_value":"30"');
  await cleo.close(form);
  const choices = { owner: 'kim.lee@example.com', grace: '0', usersPerHour: '3' };
  await cleo.close(await changeSetup(cleo, choices));
  for (const choice of ['owner', 'grace', 'usersPerHour'] as const) {
    const again = await openSetup(cleo, choice);
    expect(JSON.stringify(again.blocks)).toContain(`"initial_value":"${choices[choice]}"`);
    await cleo.close(again);
  }
  const settings = JSON.stringify((await openSettings(cleo)).blocks);
  for (const value of Object.values({ ...choices, grace: 'none' })) {
    expect(settings).toContain(value);
  }
});

test('a changed owner does not affect pending requests', async () => {
  const { ana, cleo } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  const saved = await changeSetup(cleo, { owner: 'joana.prado@example.com' });
  expect(JSON.stringify(saved.blocks)).not.toContain('voided');
  await seeAgain(ana, request, 'Waiting for approval.');
});

test.each(['joana.prado@example.com', 'Joana.Prado+belay@Example.com', null])(
  'saves the owner %s, and says the limits',
  async (owner) => {
    const { cleo, portal } = await startWorld({ isSetUp: false });
    const { id: region, token } = portal;
    const limits = { grace: '0', usersPerHour: '1' };
    const saved = await changeSetup(cleo, {
      region,
      token,
      approvers: [people.ben],
      owner,
      ...limits,
    });
    const shown = JSON.stringify(saved.blocks);
    expect(shown).toContain('*Deletion grace period*\\nnone');
    expect(shown).toContain('*Users per hour*\\n1');
    expect(shown).toContain(`*Token owner*\\n${owner ?? 'not set'}`);
  },
);

test.each([
  ['joana.prado@exampel.com', 'No user has this address. Check it.'],
  ['Joana Prado', 'No user has this ID. Check it.'],
])('refuses the owner %s, who does not exist, and saves nothing', async (owner, words) => {
  const { cleo, logged } = world();
  await submitSetup(cleo, { owner });
  const open = await cleo.seeDialog(words);
  expect(open.errors).toEqual({ tokenOwner: words });
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
  await cleo.close(open);
  expect(JSON.stringify((await openSettings(cleo)).blocks)).not.toContain(owner);
});

test('an owner with formatting characters can be set, and other settings changed after that', async () => {
  const { cleo, service, portal } = await startWorld();
  const joana = service.users(portal.id).find(({ email }) => email === 'joana.prado@example.com');
  const owner = '_joana*prado_@example.com';
  service.changeUser(portal.id, joana?.id ?? '', { email: owner });
  await cleo.close(await changeSetup(cleo, { owner }));
  await cleo.close(await changeSetup(cleo, { grace: '5' }));
  const form = await openSetup(cleo, 'owner');
  expect(JSON.stringify(form.blocks)).toContain(`"initial_value":"${owner}"`);
});

test('refuses a value too long to be shown to approvers, before it is requested', async () => {
  const { cleo, service, portal } = await startWorld();
  const [user] = service.users(portal.id);
  const owner = `${'꞉'.repeat(200)}@example.com`;
  service.changeUser(portal.id, user?.id ?? '', { email: owner });
  await submitSetup(cleo, { owner });
  const refused = await cleo.seeDialog('Nothing was saved');
  expect(JSON.stringify(refused.blocks)).toContain('too long to show to approvers');
});

test('says that nothing was changed by an unchanged owner, also if it could not be checked', async () => {
  const { cleo, service } = await startWorld();
  await cleo.close(await changeSetup(cleo, { owner: 'joana.prado@example.com' }));
  const form = await openSetup(cleo, 'owner');
  // The connection is unchanged, so only the owner is looked up.
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/users' });
  await cleo.submit(form, setupValues({ owner: 'joana.prado@example.com' }));
  await cleo.seeDialog('Nothing was changed.');
});

test('says that a changed owner could not be checked, in the review and the request', async () => {
  const { cleo, service } = await startWorld();
  const form = await openSetup(cleo, 'owner');
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/users' });
  await cleo.submit(form, setupValues({ owner: 'joana.prado@example.com' }));
  const review = await cleo.seeDialog('Review changes');
  const words =
    'Not checked: whether the token owner joana.prado@example.com exists in the service';
  expect(JSON.stringify(review.blocks)).toContain(words);
  await cleo.submit(review, { reason: { input: 'New token' } });
  const request = await cleo.seeMessage('requests approval to change the Belay setup');
  expect(JSON.stringify(request.blocks)).toContain(words);
});

test('a number out of range is reported beside its field, and nothing is saved', async () => {
  const { cleo, logged } = world();
  await submitSetup(cleo, { grace: '1441' });
  const open = await cleo.seeDialog('Enter a whole number from 0 to 1440.');
  expect(Object.keys(open.errors)).toEqual(['deleteGraceMinutes']);
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
});
