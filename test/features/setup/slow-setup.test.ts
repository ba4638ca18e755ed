import { expect, test } from 'vitest';
import { openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const checking = 'Nothing is saved until the test succeeds.';

test('the modal shows progress after 2 s, and then the result', async () => {
  const { cleo, service, portal, logged } = world();
  const form = await openSetup(cleo);
  service.setFault({ kind: 'slow', delayMs: 2600 }, { times: 1 });
  const outcome = await cleo.submit(form, setupValues({ token: portal.token }));
  expect(outcome).toEqual({ result: 'ok' });

  const waiting = await cleo.seeDialog(checking);
  expect(waiting).toMatchObject({ viewId: form.viewId, errors: {} });
  expect(waiting.submit).toBeUndefined();
  expect(logged.some((line) => line.includes('was saved'))).toBe(false);
  const saved = await cleo.seeDialog('Belay is set up');
  expect(saved.viewId).toBe(form.viewId);
});

test('a late refusal of a form without a token preserves the stored token', async () => {
  const { cleo, service } = world();
  const form = await openSetup(cleo);
  service.setFault({ kind: 'slow', delayMs: 2600 }, { times: 1 });
  await cleo.submit(form, setupValues({ unit: 'no-such-unit' }));
  await cleo.seeDialog(checking);

  const again = await cleo.seeDialog('Nothing was saved.');
  expect(JSON.stringify(again.blocks)).not.toContain('Enter the API token again.');
  expect(JSON.stringify(again.blocks)).toContain('Leave empty to keep the stored token');
  service.setFault(undefined);
  await cleo.submit(again, setupValues({ unit: null }));
  await cleo.seeDialog('Belay is set up');
});

test('a late refusal shows the form again, which requires the token again', async () => {
  const { cleo, service, portal, logged } = world();
  const form = await openSetup(cleo);
  service.setFault({ kind: 'slow', delayMs: 2600 }, { times: 1 });
  const typed = { token: 'canary-token', unit: 'a-unit' };
  await cleo.submit(form, setupValues(typed));
  await cleo.seeDialog(checking);

  const again = await cleo.seeDialog('Enter the API token again.');
  const shown = JSON.stringify(again.blocks);
  expect(shown).toContain('wrong, expired, or from another portal');
  expect(shown).not.toContain('canary-token');
  expect(shown).toContain('"initial_value":"a-unit"');
  expect(logged.some((line) => line.includes('was saved'))).toBe(false);

  service.setFault(undefined);
  await cleo.submit(again, setupValues({ token: portal.token, unit: null }));
  await cleo.seeDialog('Belay is set up');
});

test.each([
  ['is down', { kind: 'reset' }, "Belay can't reach the service."],
  [
    'answers HTML',
    { kind: 'html' },
    'A proxy or a maintenance page may have answered in its place.',
  ],
  ['fails', { kind: 'status', status: 500 }, 'The service returned a server error.'],
] as const)('a service that %s is reported beside the region', async (_name, fault, words) => {
  const { cleo, service, portal, logged } = world();
  const form = await openSetup(cleo);
  service.setFault(fault);
  await cleo.submit(form, setupValues({ token: portal.token }));
  const open = await cleo.seeDialog(words);
  expect(Object.keys(open.errors)).toEqual(['regionId']);
  expect(open.errors.regionId).toContain('Nothing was changed.');
  expect(logged.some((line) => line.includes('was saved'))).toBe(false);
});
