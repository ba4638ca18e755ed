import { beforeEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { logOf, shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { ask, heardBack, seeAgain, withdraw } from '../../support/ask.ts';
import {
  openRoles,
  type RoleChoices,
  requestRoles,
  roleValues,
  typeAndRead,
} from '../../support/roles.ts';
import { submitSetup } from '../../support/set-up.ts';
import { storeSettings } from '../../support/store-settings.ts';

const security = 'S0SECURITY';
const storage = 'S0STORAGE1';
const disable = '/belay disable joana.prado@example.com';

let ahead = 0;
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  callLimits: { command: 1000, click: 1000 },
});
/** As if a minute had passed. More of them would make Slack's signatures too old. */
async function forget(): Promise<void> {
  await db().deleteFrom('user_group').execute();
}

/** As if setup had saved these roles. */
async function name({ approvers = [people.ben], ...roles }: RoleChoices): Promise<void> {
  await storeSettings(db(), {
    approvers: approvers,
    access: { roles },
  });
  // Until every process has noticed that roles are named.
  ahead += 10_000;
  await forget();
}

beforeEach(() => name({}));

const changesOfUsers = () =>
  world().service.requests.filter(({ method }) => method === 'PATCH' || method === 'DELETE');

test('an admin changes roles with the approval of a second person', async () => {
  const { ana, ben, cleo } = world();
  const stale = await openRoles(cleo);
  expect(JSON.stringify(stale.blocks)).toContain('Storage operations (@storage-ops)');
  await cleo.close(stale);
  const request = await requestRoles(cleo, ben, { operators: [storage], approvers: [people.ben] });
  const line = `*Operators*: every viewer → <!subteam^${storage}>`;
  expect(JSON.stringify(request.blocks)).toContain(line);
  await cleo.press(request, 'Approve');
  await cleo.seeMessage("You can't decide your own request.");
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'The setup was changed.');
  expect((await ben.seeMessage("changed Belay's setup")).text).toContain('Operators');
  expect(await typeAndRead(cleo, '/belay access')).toContain(`*Operators*: <!subteam^${storage}>`);
  expect(await typeAndRead(cleo, '/belay audit event:settings_changed')).toContain(
    `operators from every viewer to <!subteam^${storage}>`,
  );
  // Ana is in the group, and Ben isn't.
  expect(await typeAndRead(ben, disable)).toContain("isn't an operator in this workspace");
  expect(await typeAndRead(cleo, '/belay audit event:refused')).toContain(
    "attempt to use `/belay disable`: this person doesn't have the right to do this",
  );
  await withdraw(ana, await ask(ana, disable));
});

test('a setup form keeps the groups among the approvers', async () => {
  await name({ approvers: [people.ben, security] });
  const { cleo } = world();
  await submitSetup(cleo, { approvers: [people.cleo] });
  const review = await cleo.seeDialog('Review changes');
  expect(JSON.stringify(review.blocks)).toContain(`→ <@${people.cleo}>, <!subteam^${security}>`);
  await cleo.close(review);
});

test('the form refuses a group without anybody, and a form that is out of date', async () => {
  const { cleo, slack } = world();
  slack.setGroup(security, { members: [people.gus] });
  const form = await openRoles(cleo);
  const refused = await cleo.submit(form, roleValues({ approvers: [security] }));
  expect(JSON.stringify(refused) + JSON.stringify(cleo.snapshot().views)).toContain(
    'Nobody in these groups is an active full member',
  );
  await name({});
  await cleo.submit(form, roleValues({ approvers: [people.ben, people.cleo] }));
  await cleo.close(await cleo.seeDialog('somebody else saved the setup'));
});

test('nobody but viewers gets an answer, from commands and buttons', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, disable);
  await name({ viewers: [security] });
  const refusal = "You don't have access to Belay in this workspace.";
  for (const command of ['/belay', '/belay alerts', '/belay help', disable]) {
    expect(await typeAndRead(ana, command)).toContain(refusal);
  }
  await ana.openHome();
  expect(JSON.stringify((await ana.seeHome(refusal)).blocks)).not.toContain('Joana');
  await withdraw(ana, request);
  await seeAgain(ben, request, 'Waiting for approval.');
  await expect.poll(() => logOf(db(), request)).toContain(`refused ${people.ana} not_viewer`);
  expect(await typeAndRead(ben, '/belay help')).not.toContain(refusal);
  await name({});
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Nothing was changed.');
});

test('an approver by a group decides while in the group', async () => {
  await name({ approvers: [security] });
  const { ana, ben, cleo, slack } = world();
  const request = await ask(ana, disable);
  expect(JSON.stringify(request.blocks)).toContain(`<!subteam^${security}>`);
  slack.setGroup(security, { members: [people.cleo] });
  await forget();
  await ben.press(request, 'Approve');
  await ben.seeMessage("You aren't an approver of this request.");
  expect(changesOfUsers()).toEqual([]);
  await cleo.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled');
});

test('a request by somebody who has left the operators can no longer be approved', async () => {
  await name({ operators: [storage] });
  const { ana, ben, slack } = world();
  const request = await ask(ana, disable);
  slack.setGroup(storage, { members: [] });
  await forget();
  await ben.press(request, 'Approve');
  await ben.seeMessage(`<@${people.ana}> isn't an operator in this workspace`);
  expect(changesOfUsers()).toEqual([]);
  await withdraw(ana, request);
});

test("says which members Slack doesn't return, and changes nothing", async () => {
  await name({ approvers: [security] });
  const { ana, ben, slack } = world();
  const request = await ask(ana, disable);
  await forget();
  slack.failNext('usergroups.users.list', 'missing_scope');
  await ben.press(request, 'Approve');
  await ben.seeMessage(
    `Slack didn't return the members of <!subteam^${security}>. Nothing was changed.`,
  );
  expect(changesOfUsers()).toEqual([]);
  await forget();
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled');
});

test('a group that Slack does not return keeps nobody else from what they may do', async () => {
  await name({ auditors: [security], approvers: [security, people.cleo] });
  const { ana, cleo, slack } = world();
  const request = await ask(ana, disable);
  const answer = async (person: typeof ana, command: string) => {
    await forget();
    slack.failNext('usergroups.users.list', 'missing_scope');
    return typeAndRead(person, command);
  };
  expect(await answer(ana, '/belay')).not.toContain("Slack didn't return");
  expect(await answer(ana, '/belay help')).toContain('/belay alerts');
  expect(await answer(ana, '/belay watch')).toContain('No watches');
  expect(await answer(ana, '/belay digest')).toContain('No digests');
  expect(await answer(ana, '/belay connection')).not.toContain("Slack didn't return");
  expect(await answer(ana, '/belay requests')).toContain('1 open request');
  expect(await answer(cleo, '/belay')).toContain('1 request to decide');
  // Using such a right is still refused.
  expect(await answer(ana, '/belay audit')).toContain("Slack didn't return the members of");
  await forget();
  await withdraw(ana, request);
});

test('a decision in the list is shown also if the list no longer can be', async () => {
  await name({ approvers: [people.ben], auditors: [security] });
  const { ana, ben, cleo, slack } = world();
  const request = await ask(ana, disable);
  const other = await ask(cleo, '/belay disable sven.moreau@example.com');
  await name({ approvers: [people.ben, security], auditors: [storage] });
  await ana.send('ops', '/belay requests');
  const list = await ana.seeMessage('2 open requests');
  await forget();
  slack.failNext('usergroups.users.list', 'missing_scope');
  slack.failNext('usergroups.users.list', 'missing_scope');
  await ana.press(list, 'Withdraw');
  await seeAgain(ben, request, 'Withdrawn');
  await ana.seeMessage('You withdrew');
  await forget();
  await withdraw(cleo, other);
});

test('an admin by a group sets up Belay, and an auditor reads the audit log', async () => {
  await name({ admins: [storage], auditors: [people.ben], approvers: [people.cleo] });
  const { ana, ben, slack } = world();
  await ana.send('ops', '/belay setup');
  await ana.close(await ana.seeDialog('Deletion grace period'));
  expect(await typeAndRead(ana, '/belay help')).toContain('setup');
  expect(await typeAndRead(ben, '/belay audit')).not.toContain('can read the audit log');
  slack.setGroup(storage, { members: [] });
  await forget();
  expect(await typeAndRead(ana, '/belay setup')).toContain('Only admins');
  expect(await typeAndRead(ana, '/belay audit')).toContain('can read the audit log');
});

test('doctor reports groups that are gone or empty', async () => {
  await name({ operators: [storage], auditors: [security] });
  const { cleo, slack } = world();
  slack.deleteGroup(storage);
  slack.setGroup(security, { members: [] });
  await cleo.send('ops', '/belay doctor all');
  const report = await cleo.seeMessage('Nobody is in the user group');
  expect(report.text).toContain(`The user group <!subteam^${storage}> was disabled or deleted.`);
});

test('without the scope, the form keeps the groups and says why', async () => {
  await name({ operators: [storage] });
  const { cleo, slack } = world();
  slack.failNext('usergroups.list', 'missing_scope');
  const form = await openRoles(cleo);
  expect(JSON.stringify(form.blocks)).toContain('`usergroups:read`');
  await cleo.submit(form, { auditors: { input: [people.ben] } });
  const review = await cleo.seeDialog('A second person must approve');
  expect(JSON.stringify(review.blocks)).not.toContain('*Operators*');
  expect(JSON.stringify(review.blocks)).toContain('*Auditors*');
  await cleo.close(review);
});

test('costs no call to Slack while no roles are named', async () => {
  const { ana, slack } = world();
  await typeAndRead(ana, '/belay help');
  expect(slack.calls.filter(({ method }) => method.startsWith('usergroups'))).toEqual([]);
});

test('an approver who leaves the group stops what was approved', async () => {
  await name({ approvers: [security] });
  const { ana, ben, slack, belay } = world();
  const email = 'joana.prado@example.com';
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled. The account will be deleted');
  await heardBack(ana);
  // The last test, because no signature is accepted afterward.
  ahead += 31 * 60_000;
  await forget();
  slack.failNext('usergroups.users.list', 'internal_error');
  await belay.sweep();
  const waiting = await seeAgain(ana, request, "Slack didn't return the members");
  expect(waiting.text).not.toContain('Belay waited');
  slack.setGroup(security, { members: [people.cleo] });
  await forget();
  ahead += 10 * 60_000;
  await belay.sweep();
  await seeAgain(ana, request, 'no longer allowed to decide');
  expect(changesOfUsers().filter(({ method }) => method === 'DELETE')).toEqual([]);
});
