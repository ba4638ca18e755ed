import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { ask, seeAgain } from '../../support/ask.ts';
import { submitRaw } from '../../support/raw-request.ts';
import { changeSetup, openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

function timesSaved(): number {
  return world().logged.filter((line) => line.includes('setup was saved')).length;
}

/** The state that Slack sends for a form with no other changes. */
function rawState(token: string | null, approver: string) {
  const { portal } = world();
  const text = (value: string | null) => ({ input: { type: 'plain_text_input', value } });
  return {
    regionId: { input: { type: 'static_select', selected_option: { value: portal.id } } },
    token: text(token),
    tokenOwner: text(null),
    organizationalUnitId: text(null),
    deleteGraceMinutes: text('30'),
    usersPerHour: text('10'),
    weakeningApprovals: text('2'),
    approvers: { input: { type: 'multi_users_select', selected_users: [approver] } },
    approvalsChannelId: { input: { type: 'conversations_select', selected_conversation: null } },
  };
}

test('an empty token field leaves the stored token unchanged', async () => {
  const { ana, cleo } = world();
  const form = await openSetup(cleo);
  expect(JSON.stringify(form.blocks)).toContain('Leave empty to keep the stored token');
  await cleo.submit(form, setupValues({ approvers: [people.ben] }));
  await cleo.seeDialog('Belay is set up');
  await ana.send('ops', '/belay users ana.silva@example.com');
  await ana.seeMessage("Each change needs a second person's approval.");
});

test('the form opens with the saved setup, without the token', async () => {
  const { cleo, portal } = world();
  const unit = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
  await cleo.close(
    await changeSetup(cleo, { unit, approvers: [people.ben, people.cleo], channel: 'C0APPROVE2' }),
  );
  const form = JSON.stringify((await openSetup(cleo)).blocks);
  expect(form).toContain(`"initial_value":"${unit}"`);
  expect(form).toContain(`"initial_users":["${people.ben}","${people.cleo}"]`);
  expect(form).toContain('"initial_conversation":"C0APPROVE2"');
  expect(form).not.toContain(portal.token);
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
    state: rawState(null, people.cleo),
  });
  expect(answer.body).toContain('somebody else saved the setup while this form was open');
  expect(timesSaved()).toBe(savedSoFar);

  const form = JSON.stringify((await openSetup(cleo)).blocks);
  expect(form).toContain(`"initial_users":["${people.ben}"]`);
  expect(form).toContain('"initial_value":"kim.lee@example.com"');
});

test('a form that arrives twice with different signatures is saved once', async () => {
  const { ana, cleo, portal } = world();
  const form = await openSetup(cleo);
  await cleo.submit(form, setupValues({ token: portal.token }));
  await cleo.seeDialog('Belay is set up');
  const request = await ask(ana, '/belay disable ana.silva@example.com');

  const state = rawState(portal.token, people.cleo);
  const answer = await submitRaw(world(), { slackUserId: people.cleo, form, state });
  expect(answer.body).toContain('This form was already saved. Nothing else was changed.');
  expect(timesSaved()).toBe(1);
  await seeAgain(ana, request, 'Waiting for approval.');
});
