import { expect, test } from 'vitest';
import { changeSetup, openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld({ form: 'live' });

test('setup without a unit offers those there are, by name and id', async () => {
  const { cleo, portal } = world();
  const saved = JSON.stringify((await changeSetup(cleo, { token: portal.token })).blocks);
  expect(saved).toContain('There are several units.');
  for (const { id, name } of portal.organizationalUnits) {
    expect(saved).toContain(`• ${name}: \`${id}\``);
  }
});

test('setup with a unit offers none, and neither where there is no choice', async () => {
  const { cleo, portal } = world();
  const unit = portal.organizationalUnits[1]?.id ?? '';
  const chosen = await changeSetup(cleo, { token: portal.token, unit });
  expect(JSON.stringify(chosen.blocks)).not.toContain('There are several units.');
  await cleo.close(chosen);
  const only = await changeSetup(cleo, { token: portal.restrictedToken, unit: null });
  expect(JSON.stringify(only.blocks)).not.toContain('There are several units.');
});

test('beside a refused unit stand those that the token may use', async () => {
  const { cleo, portal } = world();
  const [usable, other] = portal.organizationalUnits;
  const choices = { token: portal.restrictedToken, unit: other?.id ?? '' };
  await cleo.submit(await openSetup(cleo), setupValues(choices));
  const open = await cleo.seeDialog('it may not use this unit');
  expect(open.errors['organizational-unit']).toContain(`${usable?.name} (${usable?.id})`);
});

test('a unit can be chosen by its name; requests then carry its id', async () => {
  const { ana, cleo, portal, service } = world();
  const finance = portal.organizationalUnits[1];
  await cleo.close(await changeSetup(cleo, { token: portal.token, unit: 'finance' }));
  await ana.send('ops', '/belay users joana');
  await ana.seeMessage('Joana Prado');
  const sent = service.requests.at(-1)?.headers['x-clumio-organizationalunit-context'];
  expect(sent).toBe(finance?.id);
});
