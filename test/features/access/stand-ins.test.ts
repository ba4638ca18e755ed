import { beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { type ActionRules, defaultRule } from '../../../src/workspace/rules.ts';
import { requestForSeveral } from '../../requests/request-for-several.ts';
import { logOf, shareWorldWithDatabase, voidAll } from '../../requests/world-with-database.ts';
import {
  ask,
  buttonTexts,
  messagesOf,
  newMessages,
  seeAgain,
  withdraw,
} from '../../support/ask.ts';
import { typeAndRead } from '../../support/roles.ts';
import { storeSettings } from '../../support/store-settings.ts';

const dayMs = 24 * 3_600_000;
const security = 'S0SECURITY';
const email = 'joana.prado@example.com';
const disable = `/belay disable ${email}`;
const [ana, ben, cleo] = [people.ana, people.ben, people.cleo].map((id) => `<@${id}>`);

let ahead = 0;
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  callLimits: { command: 1000, click: 1000 },
});

/** As if setup had saved this; every process has noticed it. */
async function configure({
  approvers = [people.ben],
  rules = {},
}: {
  approvers?: string[];
  rules?: ActionRules;
} = {}): Promise<void> {
  await storeSettings(db(), { approvers: approvers, access: { rules } });
  await db().deleteFrom('user_group').execute();
  ahead += 10_000;
}

beforeEach(async () => {
  const { slack } = world();
  slack.setPerson(people.gus, { isGuest: false, email: 'gus@harbor.example' });
  slack.setPerson(people.ana, { email: 'ana@harbor.example' });
  slack.setPerson(people.ben, { isDeactivated: false });
  await db().deleteFrom('stand_in').execute();
  await voidAll(db());
  await configure();
});

const changes = () => world().service.requests.filter(({ method }) => method !== 'GET');

/** Ben names Ana, and Ana is notified. */
async function nameAna(until = 'until 10d'): Promise<void> {
  expect(await typeAndRead(world().ben, `/belay away @ana ${until}`)).toContain(
    `${ana} now stands in for you until`,
  );
  await world().ana.seeMessage(`You stand in for* ${ben} until`);
}

/** As if the last day were another one. */
async function setEnd(inMs: number): Promise<void> {
  const ends_at = new Date(Date.now() + ahead + inMs);
  await db().updateTable('stand_in').set({ ends_at }).execute();
}

/** A click that is answered with these words alone, and changes nothing. */
async function refused(person: Actor, request: Message, words: string): Promise<void> {
  const seeNew = newMessages(person);
  await person.press(request, 'Approve');
  const answer = await seeNew(({ isEphemeral }) => isEphemeral);
  expect(answer.text).toContain(words);
  expect(changes()).toEqual([]);
}

async function logged(): Promise<string[]> {
  const rows = await db()
    .selectFrom('audit_log')
    .select(['event', 'actor', 'facts'])
    .where('event', 'in', ['stand_in_named', 'stand_in_ended'])
    .orderBy('seq')
    .execute();
  return rows.map(({ event, actor, facts }) => [event, actor, facts.standIn].join(' '));
}

test('a stand-in decides in the place of an approver, and everybody sees that', async () => {
  const { gus, ana: standIn, cleo: admin } = world();
  await nameAna();
  const request = await ask(gus, disable);
  expect(JSON.stringify(request.blocks)).toContain(`${ana} stands in for ${ben}.`);
  expect(await typeAndRead(standIn, '/belay requests')).toContain('Disable *Joana Prado*');
  await standIn.press(request, 'Approve');
  const done = await seeAgain(gus, request, 'is disabled.');
  expect(done.text).toContain(`Approved by ${ana} (standing in for ${ben})`);
  expect(await logOf(db(), request)).toContain(`approved ${people.ana}`);
  expect(await logged()).toEqual([`stand_in_named ${people.ben} ${people.ana}`]);
  const log = await typeAndRead(admin, '/belay audit');
  expect(log).toContain(`${ana}, standing in for ${ben}, *approved* the request`);
  expect(log).toContain(`*named a stand-in*: ${ana} for ${ben}, until`);
});

test('a stand-in is notified of a request that already waits', async () => {
  const { gus, ana: standIn, workspace } = world();
  const ops = workspace.channels.find(({ name }) => name === 'ops');
  if (!ops) throw new Error('there is no channel #ops');
  ops.members = [people.gus, people.ben];
  try {
    const request = await ask(gus, disable);
    await nameAna();
    const copy = await standIn.see(
      () => messagesOf(standIn).find((one) => one.text.includes(' approval to disable ')),
      'the direct message of an approver',
    );
    await typeAndRead(world().ben, '/belay away off');
    const isOpen = (one: Message) => buttonTexts(one).includes('Deny');
    const copyNow = () => messagesOf(standIn).find((one) => one.messageTs === copy.messageTs);
    await expect.poll(() => copyNow()).not.toSatisfy(isOpen);
    await nameAna();
    await expect.poll(() => copyNow()).toSatisfy(isOpen);
    await standIn.press(copyNow() ?? copy, 'Deny');
    await standIn.submit(await standIn.seeDialog('Visible to the requester.'), {
      reason: { input: 'On leave' },
    });
    await seeAgain(gus, request, 'Denied by');
  } finally {
    delete ops.members;
  }
});

test('only approvers name a stand-in: one who could decide, for a limited time', async () => {
  const { ana: member, ben: approver, slack } = world();
  expect(await typeAndRead(member, '/belay away @gus until 10d')).toBe(
    'Only approvers can name a stand-in. Nothing was changed.',
  );
  slack.setPerson(people.gus, { isGuest: true });
  for (const [typed, words] of [
    ['@ben until 10d', 'Choose another person.'],
    ['@gus until 10d', 'This person is a guest.'],
    ['@dee until 10d', 'deactivated'],
    ['@sam until 10d', 'from another workspace'],
    ['@ana until 61d', 'within the next 60 days'],
    ['@ana until 2026-01-01', 'Choose today or a later day.'],
    ['@ana', 'Who, and until when?'],
    ['@nobody until 10d', 'Who, and until when?'],
  ] as const) {
    expect(await typeAndRead(approver, `/belay away ${typed}`)).toContain(words);
  }
  slack.setPerson(people.ana, { email: 'Ben+away@harbor.example' });
  expect(await typeAndRead(approver, '/belay away @ana until 10d')).toContain('same mailbox');
  slack.setPerson(people.ana, { email: '' });
  expect(await typeAndRead(approver, '/belay away @ana until 10d')).toContain(
    "Slack doesn't show Belay this person's email address",
  );
  expect(await logged()).not.toContain(`stand_in_named ${people.ben} ${people.gus}`);
  expect(await db().selectFrom('stand_in').selectAll().execute()).toEqual([]);
});

test('an approver and their stand-in count once', async () => {
  await configure({ approvers: [people.ben, people.cleo] });
  const { gus, ana: standIn, ben: approver, cleo: other } = world();
  await nameAna();
  const reply = await requestForSeveral(world(), db(), { requester: gus, email });
  expect(reply.text).toContain('2 approvals are needed.');
  const request = await gus.seeMessage('Waiting for 2 approvals.');
  await standIn.press(request, 'Approve');
  await seeAgain(gus, request, `Approved by ${ana} (standing in for ${ben}), 1 of 2 approvals.`);
  const taken = `${ana} already approved this request, standing in for you. One more approver is needed.`;
  await refused(approver, request, taken);
  await refused(standIn, request, 'You already approved this request.');
  await other.press(request, 'Approve');
  const done = await seeAgain(gus, request, 'is disabled.');
  expect(done.text).toContain(`Approved by ${ana} (standing in for ${ben}) and ${cleo}`);
});

test('a stand-in decides nothing that the approver could not, and nobody stands in for a stand-in', async () => {
  const { ana: standIn, ben: approver, gus, slack } = world();
  await nameAna();
  await configure({ approvers: [people.ben, people.cleo] });
  const own = await ask(approver, disable);
  const excluded = `You stand in for ${ben}, who can't take part in this decision.`;
  await refused(standIn, own, excluded);
  await withdraw(approver, own);
  await seeAgain(approver, own, 'Nothing was changed.');
  // Ana can't name a stand-in: she isn't an approver.
  expect(await typeAndRead(standIn, '/belay away @gus until 10d')).toContain('Only approvers');
  const request = await ask(standIn, disable);
  await refused(gus, request, "You aren't an approver of this request.");
  await refused(standIn, request, "You can't decide your own request.");
  slack.setPerson(people.ben, { isDeactivated: true });
  const later = await ask(gus, `/belay disable sven.moreau@example.com`);
  await refused(standIn, later, "You aren't an approver of this request.");
});

test('a stand-in ends on the last day, with the role, or when the approver or an admin ends it', async () => {
  const { ana: standIn, ben: approver, cleo: admin, gus } = world();
  await nameAna('2d');
  const request = await ask(gus, disable);
  await configure({ approvers: [people.cleo] });
  await refused(standIn, request, "You aren't an approver of this request.");
  await configure();
  await setEnd(-1);
  await refused(standIn, request, "You aren't an approver of this request.");
  expect(await typeAndRead(standIn, '/belay away')).not.toContain('You stand in for');
  await setEnd(2 * dayMs);
  const listed = await typeAndRead(approver, '/belay away');
  expect(listed).toContain(`${ana} stands in for you until`);
  expect(await typeAndRead(standIn, '/belay away')).toContain(`You stand in for ${ben} until`);

  expect(await typeAndRead(admin, '/belay access')).toContain(`${ana} stands in for ${ben} until`);
  const access = await admin.seeMessage(`${ana} stands in for ${ben} until`);
  await admin.press(access, 'End stand-in');
  await approver.seeMessage(
    `${ana} no longer stands in for ${ben}. ${cleo} ended the stand-in early`,
  );
  await refused(standIn, request, "You aren't an approver of this request.");
  expect(await typeAndRead(approver, '/belay away off')).toContain('You have no stand-in.');
  expect((await logged()).slice(-1)).toEqual([`stand_in_ended ${people.cleo} ${people.ana}`]);
});

test('the form names a stand-in, and its button ends one', async () => {
  const { ben: approver, ana: standIn } = world();
  await approver.send('ops', '/belay away');
  const none = await approver.seeMessage('You have no stand-in.');
  await approver.press(none, 'Choose stand-in…');
  const form = await approver.seeDialog('Last day');
  const until = new Date(Date.now() + ahead + 5 * dayMs).toISOString().slice(0, 10);
  await approver.submit(form, { person: { input: people.ben }, until: { input: until } });
  await approver.seeDialog('Choose another person.');
  await approver.submit(form, { person: { input: people.ana }, until: { input: until } });
  await approver.close(await approver.seeDialog(`${ana} now stands in for you until`));
  await standIn.seeMessage(`You stand in for* ${ben} until`);
  await approver.send('ops', '/belay away');
  const own = await approver.seeMessage(`${ana} stands in for you until`);
  expect(buttonTexts(own)).toEqual(['Change…', 'End stand-in']);
  await approver.press(own, 'End stand-in');
  await standIn.seeMessage(`${ana} no longer stands in for ${ben}.`);
});

test('a stand-in counts for the groups of the approver while the approver is in them', async () => {
  const approvals = [{ from: [security], count: 1 }];
  const rules = { 'users.disable': { ...defaultRule, approvals } };
  await configure({ approvers: [people.cleo], rules });
  const { gus, ana: standIn, slack } = world();
  slack.setGroup(security, { members: [people.ben] });
  await nameAna();
  const request = await ask(gus, disable);
  expect(JSON.stringify(request.blocks)).toContain(`${ana} stands in for ${ben}.`);
  slack.setGroup(security, { members: [people.cleo] });
  await db().deleteFrom('user_group').execute();
  await refused(standIn, request, "You aren't an approver of this request.");
  slack.setGroup(security, { members: [people.ben] });
  await db().deleteFrom('user_group').execute();
  await standIn.press(request, 'Approve');
  const done = await seeAgain(gus, request, 'is disabled.');
  expect(JSON.stringify(done.blocks)).toContain(`${ana} (standing in for ${ben})`);
});

test('nobody cancels a deletion in the place of its subject', async () => {
  const { gus, ana: standIn, cleo, slack } = world();
  await configure({ approvers: [people.ben, people.cleo] });
  await nameAna();
  const request = await ask(gus, `/belay delete ${email}`, { email: { input: email } });
  await cleo.press(request, 'Approve');
  const scheduled = await seeAgain(gus, request, 'will be deleted');
  slack.setPerson(people.ben, { email });
  try {
    await standIn.press(scheduled, 'Cancel deletion');
    await standIn.seeMessage(`You stand in for ${ben}, who can't take part in this decision.`);
  } finally {
    slack.setPerson(people.ben, { email: 'ben@harbor.example' });
  }
  await standIn.press(scheduled, 'Cancel deletion');
  await seeAgain(gus, request, 'The deletion was canceled.');
});

test('says that somebody who is an approver already adds nobody', async () => {
  await configure({ approvers: [people.ben, people.cleo] });
  expect(await typeAndRead(world().ben, '/belay away @cleo until 10d')).toContain(
    'They are already an approver, so this adds somebody only where a rule names you.',
  );
});

test('a deletion that a stand-in approved stops if they no longer stand in when it is due', async () => {
  const { ana: standIn, ben: approver, gus, belay } = world();
  await nameAna();
  const request = await ask(gus, `/belay delete ${email}`, { email: { input: email } });
  await standIn.press(request, 'Approve');
  await seeAgain(gus, request, 'will be deleted');
  await typeAndRead(approver, '/belay away off');
  // Slack's signatures are too old from here on.
  ahead += 31 * 60_000;
  await belay.sweep();
  await seeAgain(gus, request, 'no longer allowed to decide');
  expect(changes().map(({ method }) => method)).toEqual(['PATCH']);
});
