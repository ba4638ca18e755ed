import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../../../playground/people.ts';
import { roleByKey } from '../../../../playground/service/data/roles.ts';
import { globalUnitId } from '../../../../playground/service/portal/portal-definitions.ts';
import type { Message } from '../../../../playground/slack/protocol.ts';
import { firstOf } from '../../../playground/service/call-portal.ts';
import { announcementOf, runNow } from '../../../requests/break-glass/break-glass-world.ts';
import { logOf } from '../../../requests/world-with-database.ts';
import { aReason, buttonTexts, messagesOf, seeAgain } from '../../../support/ask.ts';
import { storeSettings } from '../../../support/store-settings.ts';
import { dayMs, invitation, kim, stageInvitations } from './invite-stage.ts';

const stage = stageInvitations();
const { world } = stage;
const setRules = (rules: object) => storeSettings(stage.db(), { access: { rules } });
const isOpen = ({ text }: Message) => text.includes('expires after 7 days');

test('a person is invited once, after approval, with the role and the units of the request', async () => {
  const { ana, ben } = world();
  const form = await stage.openForm(ana, `/belay invite ${kim} Kim Park as backup operator`);
  const filled = JSON.stringify(form.blocks);
  expect(filled).toContain(`"initial_value":"${kim}"`);
  expect(filled).toContain('"initial_value":"Kim Park"');
  expect(filled).toMatch(/"initial_option":\{[^}]*"value":"10000000-0000-4000-a000-000000000003"/);
  expect(filled).not.toContain('Super Admin');
  const message = await stage.submit(ana, form, invitation);
  const card = JSON.stringify(message.blocks);
  expect(card).toContain(`Invite Kim Park (${kim}) as Backup Operator`);
  expect(card).toContain('*Role*: Backup Operator');
  expect(card).toContain('*Organizational unit*: Global');
  expect(card).toContain('expires after 7 days');
  await ben.press(message, 'Approve');
  const done = await seeAgain(ana, message, 'Completed');
  expect(done.text).toContain('was invited. The invitation expires after 7 days.');
  expect(buttonTexts(done)).toContain('View user');
  expect(buttonTexts(done)).not.toContain('Invite again…');
  expect(stage.posts()).toHaveLength(1);
  expect(JSON.parse(stage.posts()[0]?.body ?? '')).toEqual({
    email: kim,
    full_name: 'Kim Park',
    access_control_configuration: [
      { role_id: roleByKey.backupOperator.id, organizational_unit_ids: [globalUnitId] },
    ],
  });
  expect(stage.find()).toMatchObject({ is_confirmed: false, is_enabled: true });
  expect(await logOf(stage.db(), message)).toEqual([
    `requested ${ana.slackUserId}`,
    `approved ${ben.slackUserId}`,
    ...['started belay', 'completed belay'],
  ]);
  // The chain of the audit log holds no address and no hash of one: nothing in it can be erased.
  const rows = await stage.db().selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(kim);
  const entries = rows.filter(({ approval_id }) => approval_id !== null).slice(-4);
  const { approval_id: requestId } = firstOf(entries);
  expect(entries.map(({ subject_id }) => subject_id)).toEqual([
    ...[requestId, requestId, requestId],
    stage.find()?.id,
  ]);
});

test("an administrator's role needs two approvals, and only admins are offered the highest one", async () => {
  const { ana, ben, cleo } = world();
  const message = await stage.request(ana, { role: { input: roleByKey.unitAdmin.id } });
  expect(JSON.stringify(message.blocks)).toContain("⚠ *Administrator's role*");
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, '1 of 2');
  expect(stage.posts()).toHaveLength(0);
  await cleo.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  const form = await stage.openForm(cleo, '/belay invite lee@example.com');
  expect(JSON.stringify(form.blocks)).toContain('Super Admin');
});

test('the highest role is not granted for somebody who is no longer an admin', async () => {
  const { ana, ben, slack } = world();
  slack.setPerson(people.ana, { isAdmin: true });
  const message = await stage.request(ana, { role: { input: roleByKey.superAdmin.id } });
  slack.setPerson(people.ana, { isAdmin: false });
  await ben.press(message, 'Approve');
  await ben.seeMessage('only admins can request this role');
  expect(stage.posts()).toHaveLength(0);
});

test('the highest role is not granted without approval for somebody who is no longer an admin', async () => {
  const { ana, slack } = world();
  slack.setPerson(people.ana, { isAdmin: true });
  onTestFinished(() => slack.setPerson(people.ana, { isAdmin: false }));
  await setRules({ 'users.invite': { breakGlass: [people.ana] } });
  onTestFinished(() => setRules({}));
  const form = await stage.openForm(ana, `/belay invite ${kim}`);
  // The announcement comes before the run.
  const stop = slack.subscribe(() => {
    if (!messagesOf(ana).some(({ text }) => text.startsWith('🚨 Break-glass'))) return;
    stop();
    slack.setPerson(people.ana, { isAdmin: false });
  });
  onTestFinished(stop);
  await ana.submit(form, { ...invitation, role: { input: roleByKey.superAdmin.id }, ...runNow });
  const announced = await announcementOf(ana);
  await seeAgain(ana, announced, 'only admins can request this role');
  expect(stage.posts()).toHaveLength(0);
  expect(await logOf(stage.db(), announced)).toContainEqual(
    expect.stringContaining('failed belay requester_not_allowed'),
  );
});

test('what the service would refuse keeps the form open', async () => {
  const { ana } = world();
  const form = await stage.openForm(ana, '/belay invite');
  await ana.submit(form, { ...invitation, email: { input: 'kim' } });
  const first = await ana.seeDialog('Enter an email address');
  await ana.submit(first, { ...invitation, email: { input: 'kim@gmail.com' } });
  await ana.seeDialog('Enter a work address');
  expect(stage.posts()).toHaveLength(0);
});

test('somebody who is a user already is not invited', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay invite Ana.Silva@example.com');
  const refused = await ana.seeDialog('is already a user.');
  expect(buttonTexts(refused)).toEqual(['View user']);
  await ana.close(refused);
  const form = await stage.openForm(ana, '/belay invite');
  await ana.submit(form, { ...invitation, email: { input: 'ANA.SILVA@example.com' } });
  const answer = await ana.seeMessage('is already a user. No request was sent.');
  expect(answer.text).toContain(aReason);
});

test('a mention fills in the address and the name', async () => {
  const { ana } = world();
  const form = await stage.openForm(ana, '/belay invite @sam');
  expect(JSON.stringify(form.blocks)).toMatch(/"initial_value":"sam[^"]*@/i);
});

test('nobody requests or approves an invitation for themselves', async () => {
  const { ana, ben } = world();
  const form = await stage.openForm(ana, '/belay invite');
  await ana.submit(form, { ...invitation, email: { input: 'ana@harbor.example' } });
  await ana.seeMessage('No request was sent');
  const message = await stage.request(ana, { email: { input: 'ben+belay@harbor.example' } });
  await ben.press(message, 'Approve');
  await ben.seeMessage('This request is about');
});

test.each<
  [string, (service: ReturnType<typeof world>['service'], portalId: string) => void, string]
>([
  [
    'automatic provisioning was turned on',
    (service, portalId) => service.setAutoProvisioning(portalId, true),
    'Automatic user provisioning is on',
  ],
  [
    'the person became a user',
    (service, portalId) => {
      const [user] = service.users(portalId).filter(({ is_confirmed }) => is_confirmed);
      service.changeUser(portalId, user?.id ?? '', { email: kim.toUpperCase() });
    },
    'This person is already a user.',
  ],
  [
    'the person was invited',
    (service, portalId) => {
      const [user] = service.users(portalId).filter(({ is_confirmed }) => !is_confirmed);
      service.changeUser(portalId, user?.id ?? '', { email: kim });
    },
    'This person was invited meanwhile.',
  ],
])('a request is voided if %s before it runs', async (_, change, words) => {
  const { ana, ben, service, portal } = world();
  const message = await stage.request(ana);
  change(service, portal.id);
  await ben.press(message, 'Approve');
  const voided = await seeAgain(ana, message, words);
  expect(voided.text).toContain('Nothing was changed.');
  expect(buttonTexts(voided)).toContain('Request again…');
  expect(stage.posts()).toHaveLength(0);
  service.setAutoProvisioning(portal.id, false);
});

test('a second invitation shows what the open one requests, and can be requested anyway', async () => {
  const { ana, ben } = world();
  const form = await stage.openForm(ana, `/belay invite ${kim}`);
  await stage.request(ben);
  const admin = { ...invitation, role: { input: roleByKey.unitAdmin.id } };
  await ana.submit(form, admin);
  const answer = await ana.seeMessage('No request was sent, because a similar request');
  const shown = JSON.stringify(answer.blocks);
  expect(shown).toContain(
    `<@${people.ben}> already requested approval to invite *Kim Park* (${kim}) as *Backup Operator*`,
  );
  await ana.press(answer, 'Request again…');
  await ana.press(await ana.seeDialog('already requested approval to invite'), 'Request anyway…');
  const second = await stage.submit(ana, await ana.seeDialog('Organizational units'), admin);
  expect(second.text).toContain(`<@${people.ana}> requests approval to invite`);
});

test('after a lost answer, the person is found and not invited twice', async () => {
  const { ana, ben, service } = world();
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'POST' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Unknown outcome');
  service.setFault(undefined);
  await stage.sweepUntil(ana, message, 'Completed');
  expect(stage.usersAt(kim)).toHaveLength(1);
  expect(stage.posts()).toHaveLength(1);
  // Its expiry is followed as well.
  stage.advance(7 * dayMs + 120_000);
  await stage.sweepUntil(ana, message, "hasn't accepted, and the invitation expired.");
});

test('an invitation that may not have been sent is left to people', async () => {
  const { ana, ben, service } = world();
  service.setFault({ kind: 'reset' }, { method: 'POST' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Unknown outcome');
  service.setFault(undefined);
  await stage.sweepUntil(ana, message, "Check the service's portal.", 60_000);
  expect(stage.posts()).toHaveLength(1);
});

test('an expired invitation is reported once, and can be sent again after approval', async () => {
  const { ana, ben } = world();
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  const first = stage.find();
  await ana.see(() => stage.news(ana, message).find(isOpen), 'the direct message');
  stage.advance(6 * dayMs);
  await world().belay.sweep();
  const before = stage.news(ana, message).length;
  stage.advance(dayMs + 120_000);
  const expired = await stage.sweepUntil(ana, message, "hasn't accepted, and the invitation");
  const told = await ana.see(() => stage.news(ana, message)[before], 'another direct message');
  expect(told.text).toContain("*Kim Park* hasn't accepted, and the invitation expired.");
  await world().belay.sweep();
  expect(stage.news(ana, message)).toHaveLength(before + 1);

  expect(buttonTexts(told)).toContain('Invite again…');
  await ana.press(expired, 'Invite again…');
  const form = await ana.seeDialog('The earlier invitation will be deleted.');
  const again = await stage.submit(ana, form, { reason: { input: aReason } });
  expect(JSON.stringify(again.blocks)).toContain('The earlier invitation is deleted');
  await ben.press(again, 'Approve');
  const done = await stage.sweepUntil(ana, again, 'Completed');
  expect(done.text).toContain('was invited.');
  const [second, another] = stage.usersAt(kim);
  expect(another).toBeUndefined();
  expect(second?.id).not.toBe(first?.id);
  expect(second?.access).toEqual(first?.access);
  expect(stage.posts()).toHaveLength(2);
});

test('an accepted invitation is no news, and is not sent again', async () => {
  const { ana, ben, service, portal } = world();
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  await ana.see(() => stage.news(ana, message).find(isOpen), 'the direct message');
  const before = stage.news(ana, message).length;
  expect(service.acceptInvitation(portal.id, stage.find()?.id ?? '')).toBe(true);
  stage.advance(7 * dayMs + 120_000);
  await world().belay.sweep();
  const later = await stage.sweepUntil(ana, message, /^(?!.*expires after 7 days)/s);
  expect(later.text).not.toContain('expired');
  expect(buttonTexts(later)).not.toContain('Invite again…');
  expect(stage.news(ana, message)).toHaveLength(before);
});

test.each([
  ['soon', 7 * dayMs + 120_000],
  ['after Belay was down for days', 10 * dayMs],
])('a failed look at an expired invitation is repeated: %s', async (_, ms) => {
  const { ana, ben, service } = world();
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  service.setFault({ kind: 'status', status: 500 }, { method: 'GET' });
  stage.advance(ms);
  await world().belay.sweep();
  service.setFault(undefined);
  await stage.sweepUntil(ana, message, 'the invitation expired', 60 * 60_000);
});

test('who was invited is listed with a way to invite them again, unless they are protected', async () => {
  const { ana, ben, service, portal } = world();
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  await ana.send('ops', '/belay users invited');
  const list = await ana.seeMessage('invited users');
  expect(JSON.stringify(list.blocks)).toContain('Invite again…');
  await ana.send('ops', `/belay users ${kim}`);
  const card = await ana.see(
    () => messagesOf(ana).find((one) => buttonTexts(one).includes('Rename…')),
    'the user',
  );
  await ana.press(card, 'Invite again…');
  const form = await ana.seeDialog('The earlier invitation will be deleted.');
  service.acceptInvitation(portal.id, stage.find()?.id ?? '');
  await ana.submit(form, { reason: { input: aReason } });
  await ana.seeMessage('accepted the invitation. No request was sent.');
});

test('a person who accepts before the request runs keeps the account', async () => {
  const { ana, ben, service, portal } = world();
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  await ana.send('ops', `/belay invite ${kim}`);
  const known = await ana.seeDialog('has already been invited.');
  await ana.press(known, 'Invite again…');
  const form = await ana.seeDialog('The earlier invitation will be deleted.');
  const again = await stage.submit(ana, form, { reason: { input: aReason } });
  service.acceptInvitation(portal.id, stage.find()?.id ?? '');
  await ben.press(again, 'Approve');
  await seeAgain(ana, again, 'This person accepted the invitation.');
  expect(stage.find()?.is_confirmed).toBe(true);
  expect(stage.posts()).toHaveLength(1);
});
