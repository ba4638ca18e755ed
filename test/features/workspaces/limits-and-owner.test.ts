import { expect, test } from 'vitest';
import { ask, seeAgain } from '../../support/ask.ts';
import { changeSetup, openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

test('the form opens with the limits and the owner that were saved', async () => {
  const { cleo } = world();
  const form = await openSetup(cleo);
  const first = JSON.stringify(form.blocks);
  await cleo.close(form);
  expect(first).toContain('"initial_value":"30"');
  expect(first).toContain('"initial_value":"10"');
  const choices = { owner: 'ops@example.com', grace: '0', usersPerHour: '3' };
  await cleo.close(await changeSetup(cleo, choices));
  const again = JSON.stringify((await openSetup(cleo)).blocks);
  for (const value of ['ops@example.com', '0', '3']) {
    expect(again).toContain(`"initial_value":"${value}"`);
  }
});

test('a changed owner leaves what waits for approval as it is', async () => {
  const { ana, cleo } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  const saved = await changeSetup(cleo, { owner: 'someone.else@example.com' });
  expect(JSON.stringify(saved.blocks)).not.toContain('no longer valid');
  await seeAgain(ana, request, 'Waiting for approval.');
});

test('a number out of range is said beside its field, and nothing is saved', async () => {
  const { cleo, logged } = world();
  await cleo.submit(await openSetup(cleo), setupValues({ grace: '1441', usersPerHour: '0' }));
  const open = await cleo.seeDialog('Give a whole number from 0 to 1440.');
  expect(Object.keys(open.errors).sort()).toEqual(['delete-grace', 'users-per-hour']);
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
});
