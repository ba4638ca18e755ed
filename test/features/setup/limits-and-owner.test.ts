import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { ask, seeAgain } from '../../support/ask.ts';
import { changeSetup, openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld, startWorld } from '../../support/world.ts';

const world = shareWorld();

test('the form opens with the saved limits and owner', async () => {
  const { cleo } = world();
  const form = await openSetup(cleo);
  const first = JSON.stringify(form.blocks);
  await cleo.close(form);
  expect(first).toContain('"initial_value":"30"');
  expect(first).toContain('"initial_value":"10"');
  const choices = { owner: 'kim.lee@example.com', grace: '0', usersPerHour: '3' };
  await cleo.close(await changeSetup(cleo, choices));
  const again = JSON.stringify((await openSetup(cleo)).blocks);
  for (const value of ['kim.lee@example.com', '0', '3']) {
    expect(again).toContain(`"initial_value":"${value}"`);
  }
});

test('a changed owner does not affect pending requests', async () => {
  const { ana, cleo } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  const saved = await changeSetup(cleo, { owner: 'joana.prado@example.com' });
  expect(JSON.stringify(saved.blocks)).not.toContain('voided');
  await seeAgain(ana, request, 'Waiting for approval.');
});

test.each([
  { owner: 'joana.prado@example.com', words: undefined },
  { owner: 'Joana.Prado+belay@Example.com', words: undefined },
  { owner: null, words: 'No token owner is set' },
])('saves the owner $owner, and says the limits', async ({ owner, words }) => {
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
  expect(shown).toContain('*Deletion grace period*: none');
  expect(shown).toContain('*Users per hour*: 1');
  if (words) expect(shown).toContain(words);
  else expect(shown).not.toMatch(/token owner/);
});

test.each([
  ['joana.prado@exampel.com', 'No user has this address. Check it.'],
  ['Joana Prado', 'No user has this ID. Check it.'],
])('refuses the owner %s, who does not exist, and saves nothing', async (owner, words) => {
  const { cleo, logged } = world();
  await cleo.submit(await openSetup(cleo), setupValues({ owner, grace: '5' }));
  const open = await cleo.seeDialog(words);
  expect(open.errors).toEqual({ tokenOwner: words });
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
  await cleo.close(open);
  expect(JSON.stringify((await openSetup(cleo)).blocks)).not.toContain(owner);
});

test('an owner with formatting characters can be set, and other settings changed after that', async () => {
  const { cleo, service, portal } = await startWorld();
  const joana = service.users(portal.id).find(({ email }) => email === 'joana.prado@example.com');
  const owner = '_joana*prado_@example.com';
  service.changeUser(portal.id, joana?.id ?? '', { email: owner });
  await cleo.close(await changeSetup(cleo, { owner }));
  await cleo.close(await changeSetup(cleo, { grace: '5' }));
  expect(JSON.stringify((await openSetup(cleo)).blocks)).toContain(`"initial_value":"${owner}"`);
});

test('refuses a value too long to be shown to approvers, before it is requested', async () => {
  const { cleo, service, portal } = await startWorld();
  const [user] = service.users(portal.id);
  const owner = `${'꞉'.repeat(200)}@example.com`;
  service.changeUser(portal.id, user?.id ?? '', { email: owner });
  await cleo.submit(await openSetup(cleo), setupValues({ owner }));
  const refused = await cleo.seeDialog('Nothing was saved');
  expect(JSON.stringify(refused.blocks)).toContain('too long to show to approvers');
});

test('says that an owner could not be checked', async () => {
  const { cleo, service } = await startWorld();
  await cleo.close(await changeSetup(cleo, { owner: 'joana.prado@example.com' }));
  const form = await openSetup(cleo);
  // The connection is unchanged, so only the owner is looked up.
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/users' });
  await cleo.submit(form, setupValues({ owner: 'joana.prado@example.com' }));
  const saved = await cleo.seeDialog('Belay is set up');
  expect(JSON.stringify(saved.blocks)).toContain(
    'Not checked: whether the token owner joana.prado@example.com exists in the service',
  );
});

test('says of a changed owner too that it could not be checked, in the review and the request', async () => {
  const { cleo, service } = await startWorld();
  const form = await openSetup(cleo);
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
  await cleo.submit(await openSetup(cleo), setupValues({ grace: '1441', usersPerHour: '0' }));
  const open = await cleo.seeDialog('Enter a whole number from 0 to 1440.');
  expect(Object.keys(open.errors).sort()).toEqual(['deleteGraceMinutes', 'usersPerHour']);
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
});
