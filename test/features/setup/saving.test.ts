import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { ask, seeAgain } from '../../support/ask.ts';
import { submitRaw } from '../../support/raw-request.ts';
import { changeSetup, openSettings, openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

function timesSaved(): number {
  return world().logged.filter((line) => line.includes('setup was saved')).length;
}

/** The state that Slack sends for the form of a connection with no other changes. */
function rawState(token: string | null) {
  const { portal } = world();
  const text = (value: string | null) => ({ input: { type: 'plain_text_input', value } });
  return {
    name: text('main'),
    regionId: { input: { type: 'static_select', selected_option: { value: portal.id } } },
    token: text(token),
    tokenOwner: text(null),
    organizationalUnitId: text(null),
  };
}

test('an empty token field leaves the stored token unchanged', async () => {
  const { ana, cleo } = world();
  const form = await openSetup(cleo);
  expect(JSON.stringify(form.blocks)).toContain('Leave empty to keep the stored token');
  await cleo.submit(form, {});
  await cleo.seeDialog('Belay is set up');
  await ana.send('ops', '/belay users ana.silva@example.com');
  await ana.seeMessage("Each change needs a second person's approval.");
});

test('the settings show what is saved, without the token', async () => {
  const { cleo, portal } = world();
  const unit = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
  await cleo.close(
    await changeSetup(cleo, { unit, approvers: [people.ben, people.cleo], channel: 'C0APPROVE2' }),
  );
  const settings = await openSettings(cleo);
  const shown = JSON.stringify(settings.blocks);
  expect(shown).toContain(`Organizational unit: ${unit}`);
  expect(shown).toContain(`*Approvers*\\n<@${people.ben}>, <@${people.cleo}>`);
  expect(shown).toContain('*Approvals channel*\\n<#C0APPROVE2>');
  await cleo.close(settings);
  const connection = await openSetup(cleo);
  await cleo.close(connection);
  const forms = [connection, await openSetup(cleo, 'approvers')];
  expect(JSON.stringify(forms)).toContain(`"initial_value":"${unit}"`);
  expect(JSON.stringify(forms)).toContain(`"initial_users":["${people.ben}","${people.cleo}"]`);
  expect(shown + JSON.stringify(forms)).not.toContain(portal.token);
});

test('a new unit is sent with every later request', async () => {
  const { ana, cleo, service, portal } = world();
  const unit = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
  await cleo.close(await changeSetup(cleo, { unit }));
  await ana.send('ops', '/belay users zzyzx');
  await ana.seeMessage('No user matches');
  const units = service.requests.map(
    ({ headers }) => headers['x-service-organizationalunit-context'],
  );
  expect(new Set(units)).toEqual(new Set([unit]));
  await cleo.close(await changeSetup(cleo, { unit: null }));
});

test('a form opened before another save is refused', async () => {
  const { cleo } = world();
  const stale = await openSetup(cleo);
  await cleo.close(stale);
  await cleo.close(
    await changeSetup(cleo, { approvers: [people.ben], owner: 'kim.lee@example.com' }),
  );
  const savedSoFar = timesSaved();
  const answer = await submitRaw(world(), {
    slackUserId: people.cleo,
    form: stale,
    state: rawState(null),
  });
  expect(answer.body).toContain('somebody else saved the setup while this form was open');
  expect(timesSaved()).toBe(savedSoFar);

  const shown = JSON.stringify((await openSettings(cleo)).blocks);
  expect(shown).toContain(`*Approvers*\\n<@${people.ben}>`);
  expect(shown).toContain('kim.lee@example.com');
});

test('a form that arrives twice with different signatures is saved once', async () => {
  const { ana, cleo, portal } = world();
  const form = await openSetup(cleo);
  await cleo.submit(form, setupValues({ token: portal.token }));
  await cleo.seeDialog('Belay is set up');
  const request = await ask(ana, '/belay disable ana.silva@example.com');

  const state = rawState(portal.token);
  const answer = await submitRaw(world(), { slackUserId: people.cleo, form, state });
  expect(answer.body).toContain('This form was already saved. Nothing else was changed.');
  expect(timesSaved()).toBe(1);
  await seeAgain(ana, request, 'Waiting for approval.');
});
