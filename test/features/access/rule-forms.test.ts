import { beforeEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { toSettings } from '../../../src/workspace/store/setup-row.ts';
import { logOf, shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { ask, buttonTexts, seeAgain } from '../../support/ask.ts';
import { typeAndRead } from '../../support/roles.ts';
import {
  members,
  openProtectedUsers,
  openRule,
  requestReviewed,
  showAccess,
} from '../../support/rules.ts';
import { storeSettings } from '../../support/store-settings.ts';

const security = 'S0SECURITY';
const storage = 'S0STORAGE1';
const joana = 'joana.prado@example.com';

let ahead = 0;
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  callLimits: { command: 1000, click: 1000 },
});

/** As if setup had saved this. */
async function save(access: object): Promise<void> {
  await storeSettings(db(), {
    approvers: [people.ben],
    access: access,
  });
  // Until every process has noticed that a rule is there.
  ahead += 10_000;
  await db().deleteFrom('user_group').execute();
}

beforeEach(() => save({}));

const stored = async () =>
  toSettings(
    await db().selectFrom('workspace_settings').select('settings').executeTakeFirstOrThrow(),
  ).access;

test('an admin sets a rule with the approval of a second person, and removes it', async () => {
  const { ben, cleo } = world();
  expect((await showAccess(cleo)).text).toContain('No rules:');
  const form = await openRule(cleo, world(), 'users.delete');
  await cleo.submit(form, {
    ...members('requesters', [storage]),
    ...members('approval-1', [security]),
    // The second one is left empty.
    ...members('approval-3', [people.cleo, people.ana]),
    'approval-3-count': { input: '1' },
    hoursToDecide: { input: '2' },
    remindAfterMinutes: { input: '30' },
    ...members('breakGlass', [people.ben]),
  });
  const request = await requestReviewed(cleo, ben);
  const shown = JSON.stringify(request.blocks);
  expect(shown).toContain('*Rule: Delete a user*');
  expect(shown).toContain(`Requesters: every operator → <!subteam^${storage}>`);
  expect(shown).toContain(
    `Approvals: the approvers → 1 of <!subteam^${security}> *and* 1 of <@${people.cleo}> or <@${people.ana}>`,
  );
  expect(shown).toContain('Time to decide: 8 hours → 2 hours');
  expect(shown).toContain('First reminder: none → after 30 minutes');
  expect(shown).toContain(`Break-glass: nobody → <@${people.ben}>`);
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'The setup was changed.');
  expect(await stored()).toMatchObject({
    rules: {
      'users.delete': {
        approvals: [
          { from: [security], count: 1 },
          { from: [people.cleo, people.ana], count: 1 },
        ],
      },
    },
  });
  const now = await showAccess(cleo);
  expect(now.text).toContain(`*Delete a user*\nRequesters: <!subteam^${storage}>`);
  expect(await typeAndRead(cleo, '/belay audit event:rule_changed')).toContain(
    `*changed the rule* for “Delete a user”: requesters from every operator to <!subteam^${storage}>`,
  );

  const again = await openRule(cleo, world(), 'users.delete');
  await cleo.submit(again, { remove: { input: ['yes'] } });
  const removal = await requestReviewed(cleo, ben);
  await ben.press(removal, 'Approve');
  await seeAgain(ben, removal, 'The setup was changed.');
  expect(await stored()).toMatchObject({ rules: {} });
  expect((await showAccess(cleo)).text).toContain('No rules:');
});

test('what only makes a rule stricter is saved at once, and announced', async () => {
  const { ben, cleo } = world();
  await cleo.submit(await openRule(cleo, world(), 'users.rename'), {
    hoursToDecide: { input: '1' },
  });
  const review = await cleo.seeDialog('Saving announces the changes');
  await cleo.submit(review, {});
  await cleo.close(await cleo.seeDialog('The changes were saved'));
  expect(await stored()).toMatchObject({ rules: { 'users.rename': { hoursToDecide: 1 } } });
  const announced = await ben.seeMessage('*Rule: Rename a user*');
  expect(announced.text).toContain('This change needed no approval.');
});

test('without menus of groups, a problem with a group is shown at the people', async () => {
  await save({ rules: { 'users.delete': { approvals: [{ from: [security], count: 1 }] } } });
  const { cleo, slack } = world();
  slack.failNext('usergroups.list', 'missing_scope');
  const form = await openRule(cleo, world(), 'users.delete');
  expect(JSON.stringify(form.blocks)).toContain('`usergroups:read`');
  await db().deleteFrom('user_group').execute();
  slack.failNext('usergroups.users.list', 'missing_scope');
  await cleo.submit(form, { hoursToDecide: { input: '2' } });
  const refused = await cleo.seeDialog("Slack didn't return the members of one of these groups.");
  expect(Object.keys(refused.errors)).toEqual(['approval-1']);
  await cleo.close(refused);
});

test('a rule whose fields are emptied is removed', async () => {
  await save({ rules: { 'users.rename': { remindAfterMinutes: 30 } } });
  const { cleo } = world();
  await cleo.submit(await openRule(cleo, world(), 'users.rename'), {
    remindAfterMinutes: { input: '' },
  });
  const review = await cleo.seeDialog('Saving announces the changes');
  await cleo.submit(review, {});
  await cleo.close(await cleo.seeDialog('The changes were saved'));
  expect((await stored()).rules).toEqual({});
});

test('a rule that could never be met is refused', async () => {
  const { cleo, slack } = world();
  slack.setGroup(security, { members: [people.cleo] });
  const submit = async (values: ReturnType<typeof members>) => {
    const form = await openRule(cleo, world(), 'users.delete');
    const outcome = await cleo.submit(form, values);
    const refused = JSON.stringify([outcome, cleo.snapshot().views]);
    await cleo.close(form);
    return refused;
  };
  expect(
    await submit({ ...members('approval-1', [security]), 'approval-1-count': { input: '2' } }),
  ).toContain('Only 1 of these people can approve');
  expect(
    await submit({
      ...members('approval-1', [security]),
      ...members('approval-2', [people.cleo]),
    }),
  ).toContain('Other approvals of this rule need the same people');
  expect(await submit(members('approval-1', [people.gus]))).toContain('active full members');
  slack.setGroup(storage, { members: [] });
  await db().deleteFrom('user_group').execute();
  expect(await submit(members('requesters', [storage]))).toContain('Nobody in these groups');
  expect(await stored()).toMatchObject({});
});

test('doctor reports a rule that nobody can meet', async () => {
  const { cleo, slack } = world();
  slack.setGroup(security, { members: [people.gus] });
  await save({
    rules: {
      'users.delete': { approvals: [{ from: [security], count: 1 }] },
      'users.rename': { requesters: [people.gus] },
    },
  });
  const report = await typeAndRead(cleo, '/belay doctor all');
  expect(report).toContain(
    `The rule for “Delete a user” can't be met:\n1 of <!subteam^${security}> must approve, but nobody can.\n• <@${people.gus}> is no longer a full member of this workspace.`,
  );
  expect(report).toContain('Nobody can request “Rename a user”');
});

test('a protected user is not disabled or deleted, even if protected while a request waits', async () => {
  const { ana, ben, cleo, service } = world();
  const waiting = await ask(ana, `/belay disable ${joana}`);
  await cleo.submit(await openProtectedUsers(cleo), {
    addresses: { input: 'Joana.Prado+backup@example.com' },
    domains: { input: '@corp.example' },
  });
  const request = await requestReviewed(cleo, ben);
  expect(JSON.stringify(request.blocks)).toContain(
    '*Protected addresses*: added Joana.Prado+backup@example.com',
  );
  expect(JSON.stringify(request.blocks)).toContain('*Protected domains*: added corp.example');
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'The setup was changed.');

  await ben.press(waiting, 'Approve');
  await seeAgain(ana, waiting, 'is protected');
  expect(await logOf(db(), waiting)).toContainEqual(expect.stringContaining('failed'));
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);

  await ana.send('ops', `/belay disable ${joana}`);
  await ana.close(await ana.seeDialog('Protected user: the address'));
  await ana.send('ops', `/belay users ${joana}`);
  const card = await ana.seeMessage('🔒 Protected user');
  expect(buttonTexts(card)).toEqual(['Rename…']);
  expect(await typeAndRead(cleo, '/belay audit event:protected_users_changed')).toContain(
    'added 1 address (Joana.Prado+backup@example.com)',
  );
});

test('addresses and domains that protect nobody are refused', async () => {
  const { cleo } = world();
  const form = await openProtectedUsers(cleo);
  await cleo.submit(form, {
    addresses: { input: 'joana' },
    domains: { input: 'com' },
  });
  const refused = JSON.stringify(cleo.snapshot().views);
  expect(refused).toContain('Check joana.');
  expect(refused).toContain('Check com.');
  await cleo.close(form);
});

test('only people named in a rule see the buttons for its action', async () => {
  await save({ rules: { 'users.delete': { requesters: [people.ben] } } });
  const { ana, ben } = world();
  const read = async (person: typeof ana) => {
    await person.send('ops', '/belay users sven.moreau@example.com');
    return buttonTexts(await person.seeMessage('Sven Moreau'));
  };
  expect(await read(ben)).toContain('Delete…');
  const offered = await read(ana);
  expect(offered).not.toContain('Delete…');
  expect(offered).toContain('Rename…');
  expect(await typeAndRead(ana, '/belay help users')).not.toContain('/belay delete');
  expect(await typeAndRead(ben, '/belay help users')).toContain('/belay delete');
});
