import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import type { OpenView } from '../../../playground/slack/protocol.ts';
import {
  changeSetup,
  finishSetup,
  openSettings,
  openSetup,
  setupValues,
  submitSetup,
} from '../../support/set-up.ts';
import { shareWorld, startWorld } from '../../support/world.ts';

const world = shareWorld({ dialect: 'live' });
const units = { pathPrefix: '/organizational-units' };

function unitElement({ blocks }: OpenView) {
  const isUnit = (block: KnownBlock) => block.block_id === 'organizationalUnitId';
  const block = blocks.find(isUnit);
  return block?.type === 'input' ? block.element : undefined;
}

const menu = (names: (string | undefined)[], chosen: string | undefined) => ({
  type: 'static_select',
  options: names.map((name) => ({ text: { text: name } })),
  initial_option: { text: { text: chosen } },
});

async function unitOfRequests(): Promise<unknown> {
  const { ana, service } = world();
  await ana.send('ops', '/belay users joana');
  await ana.seeMessage('Joana Prado');
  return service.requests.at(-1)?.headers['x-clumio-organizationalunit-context'];
}

test('setup lists units by name and preselects the saved one', async () => {
  const { cleo, portal } = world();
  const [global, finance] = portal.organizationalUnits;
  const names = ["The token's own unit", global?.name, finance?.name];
  const form = await openSetup(cleo);
  expect(unitElement(form)).toMatchObject(menu(names, "The token's own unit"));
  await cleo.submit(form, setupValues({ unit: finance?.id ?? '' }));
  const asked = `*Organizational unit*: the token's own → ${finance?.name} (${finance?.id})`;
  await cleo.seeDialog(asked);
  await cleo.close(await finishSetup(cleo));
  expect(await unitOfRequests()).toBe(finance?.id);

  const again = await openSetup(cleo);
  expect(unitElement(again)).toMatchObject(menu(names, finance?.name));
  await cleo.submit(again, setupValues({ unit: '*' }));
  await cleo.close(await finishSetup(cleo));
  expect(await unitOfRequests()).toBeUndefined();
});

test('the first token without a unit offers a choice in the same modal', async () => {
  const { ana, cleo, portal, service } = await startWorld({ dialect: 'live', isSetUp: false });
  const finance = portal.organizationalUnits[1];
  const { id: region, token } = portal;
  const saved = await changeSetup(cleo, { region, token });
  expect(JSON.stringify(saved.blocks)).toContain('Several organizational units are available.');

  await cleo.press(saved, 'Edit: Connection');
  const form = await cleo.seeDialog('Short name, such as europe');
  expect(form.viewId).toBe(saved.viewId);
  await cleo.submit(form, setupValues({ unit: finance?.id ?? '' }));
  const chosen = await cleo.seeDialog(`Organizational unit: ${finance?.id}`);
  expect(JSON.stringify(chosen.blocks)).not.toContain('Several organizational units');
  await cleo.close(chosen);
  await ana.send('ops', '/belay users joana');
  await ana.seeMessage('Joana Prado');
  const { headers } = service.requests.at(-1) ?? {};
  expect(headers?.['x-clumio-organizationalunit-context']).toBe(finance?.id);
});

test('offers no choice if there is only one unit', async () => {
  const { cleo, portal } = world();
  const only = await changeSetup(cleo, { token: portal.restrictedToken, unit: '*' });
  expect(JSON.stringify(only.blocks)).not.toContain('Several organizational units are available.');
  await cleo.close(only);
  await cleo.close(await changeSetup(cleo, { token: portal.token }));
});

test("a person who is no longer an admin can't choose a unit", async () => {
  const { cleo, slack } = world();
  const settings = await openSettings(cleo);
  slack.setPerson(cleo.slackUserId, { isAdmin: false });
  await cleo.press(settings, 'Edit: Connection');
  await cleo.seeDialog('Only admins can set up Belay.');
});

test('the error for a refused unit lists the units that the token has access to', async () => {
  const { cleo, portal } = world();
  const [usable, other] = portal.organizationalUnits;
  const choices = { token: portal.restrictedToken, unit: other?.id ?? '' };
  await submitSetup(cleo, choices);
  const open = await cleo.seeDialog('but not for this unit');
  expect(open.errors.organizationalUnitId).toContain(`${usable?.name} (${usable?.id})`);
});

test('after a late refusal the form has a menu of the units that the token has access to', async () => {
  const { cleo, portal, service } = world();
  const [usable, other] = portal.organizationalUnits;
  const form = await openSetup(cleo);
  service.setFault({ kind: 'slow', delayMs: 1500 });
  const choices = { token: portal.restrictedToken, unit: other?.id ?? '' };
  await cleo.submit(form, setupValues(choices));
  const again = await cleo.seeDialog('Enter the API token again.');
  const names = ["The token's own unit", usable?.name];
  expect(unitElement(again)).toMatchObject(menu(names, "The token's own unit"));
});

test.each([
  ['refuses to list them', { kind: 'status', status: 500 }],
  ['does not answer', { kind: 'hang' }],
] as const)(
  'with a service that %s the form has a text field, which accepts a name too',
  async (_name, fault) => {
    const { cleo, portal, service } = world();
    const finance = portal.organizationalUnits[1];
    service.setFault(fault, units);
    const form = await openSetup(cleo);
    expect(unitElement(form)).toMatchObject({ type: 'plain_text_input' });
    service.setFault(undefined);
    await cleo.submit(form, setupValues({ token: portal.token, unit: 'finance' }));
    await cleo.close(await finishSetup(cleo));
    expect(await unitOfRequests()).toBe(finance?.id);

    // The name of the unit in use changes nothing.
    service.setFault(fault, units);
    const again = await openSetup(cleo);
    service.setFault(undefined);
    await cleo.submit(again, setupValues({ unit: 'Finance' }));
    const saved = await cleo.seeDialog(/Review changes|Belay is set up/);
    expect(JSON.stringify(saved.blocks)).toContain(`Organizational unit: ${finance?.id}`);
    await cleo.close(saved);
    await cleo.close(await changeSetup(cleo, { unit: '*' }));
  },
);
