import { beforeEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import type { ActionRule } from '../../../src/workspace/rules.ts';
import { heardBack, newMessages, seeAgain } from '../../support/ask.ts';
import { typeAndRead } from '../../support/roles.ts';
import { storeSettings } from '../../support/store-settings.ts';
import { logOf, shareWorldWithDatabase, voidAll } from '../world-with-database.ts';

const security = 'S0SECURITY';
const storage = 'S0STORAGE1';
const [securityMention, storageMention] = [security, storage].map((id) => `<!subteam^${id}>`);
const both = [
  { from: [security], count: 1 },
  { from: [storage], count: 1 },
];
const disable = '/belay disable joana.prado@example.com';

let ahead = 0;
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  callLimits: { command: 1000, click: 1000 },
});

/** As if setup had saved this rule, but for the requests that it would void. */
async function rule(given: Partial<ActionRule>): Promise<void> {
  await storeSettings(db(), {
    approvers: [people.gus],
    access: { rules: { 'users.disable': given } },
  });
  // Until every process has noticed that a rule names groups, and groups are read again.
  ahead += 10_000;
  await setGroup(security, [people.ben]);
  await setGroup(storage, [people.ana, people.cleo]);
}

async function setGroup(groupId: string, members: string[]): Promise<void> {
  world().slack.setGroup(groupId, { members });
  await db().deleteFrom('user_group').execute();
}

beforeEach(async () => {
  world().slack.setPerson(people.gus, { isGuest: false, email: 'gus@harbor.example' });
  await voidAll(db());
  await rule({ approvals: both });
});

const blocksOf = (message: Message) => JSON.stringify(message.blocks);
const writes = () => world().service.requests.filter(({ method }) => method !== 'GET');

/** Ana's request to disable a user, as the channel sees it. */
async function request(reason = 'Left the company'): Promise<Message> {
  const { ana } = world();
  const seeNew = newMessages(ana);
  await ana.send('ops', disable);
  await ana.submit(await ana.seeDialog('Reason'), { reason: { input: reason } });
  return seeNew('Pending');
}

async function refused(who: 'ben' | 'cleo' | 'gus' | 'ana', on: Message): Promise<string> {
  const person = world()[who];
  const seeNew = newMessages(person);
  await person.press(on, 'Approve');
  const answer = await seeNew(({ isEphemeral }) => isEphemeral);
  return answer.text;
}

test('one person of each group approves, and the message shows what is still needed', async () => {
  const { ana, ben, cleo } = world();
  const made = await request();
  expect(blocksOf(made)).toContain(
    `Needs approval from 1 of ${securityMention} and 1 of ${storageMention} · Expires`,
  );
  expect(await refused('gus', made)).toContain("You aren't an approver of this request.");
  expect(await refused('ana', made)).toContain("You can't decide your own request.");
  await ben.press(made, 'Approve');
  const half = await seeAgain(ana, made, '1 of 2 approvals');
  expect(blocksOf(half)).toContain(`✅ 1 of ${securityMention}: approved by <@${people.ben}>`);
  expect(blocksOf(half)).toContain(`⏳ 1 of ${storageMention}: 1 more needed`);
  const copy = await heardBack(ana);
  expect(blocksOf(copy)).toContain(`⏳ 1 of ${storageMention}: 1 more needed`);
  expect(await refused('ben', half)).toContain(`Still needed: 1 of ${storageMention}.`);
  await setGroup(security, [people.ben, people.gus]);
  expect(await refused('gus', half)).toContain('already has enough approvals');
  expect(writes()).toEqual([]);
  expect(await typeAndRead(cleo, '/belay requests')).toContain(
    `1 of 2 approvals · needs 1 of ${storageMention}`,
  );
  await cleo.press(half, 'Approve');
  await seeAgain(ana, made, 'is disabled.');
  await seeAgain(ana, copy, 'is disabled.');
  expect(writes()).toHaveLength(1);
  expect(await logOf(db(), made)).toEqual([
    `requested ${people.ana}`,
    `refused ${people.gus} not_approver`,
    `refused ${people.ana} own_request`,
    `approved ${people.ben}`,
    `refused ${people.ben} already_approved`,
    `refused ${people.gus} groups_already_approved`,
    `approved ${people.cleo}`,
    'started belay',
    'completed belay',
  ]);
});

test('an approval by somebody who has left the group no longer counts', async () => {
  const { ana, ben, cleo, gus } = world();
  const made = await request();
  await ben.press(made, 'Approve');
  const half = await seeAgain(ana, made, '1 of 2 approvals');
  await setGroup(security, []);
  await cleo.press(half, 'Approve');
  const still = await seeAgain(ana, made, `<@${people.ben}> and <@${people.cleo}>, 1 of 2`);
  expect(blocksOf(still)).toContain(`⏳ 1 of ${securityMention}: 1 more needed`);
  expect(blocksOf(still)).toContain(
    `⚠ Not counted: <@${people.ben}> can no longer approve this request.`,
  );
  expect(blocksOf(still)).toContain("The rule for this action can't be met right now");
  expect(blocksOf(still)).toContain(`Nobody is in ${securityMention}.`);
  expect(await refused('cleo', still)).toContain(`Nobody is in ${securityMention}.`);
  expect(writes()).toEqual([]);
  await setGroup(security, [people.gus]);
  await gus.press(still, 'Approve');
  await seeAgain(ana, made, 'is disabled.');
  await heardBack(ana);
});

test('a person in both groups counts for one of them', async () => {
  const { ana, cleo, gus } = world();
  await setGroup(security, [people.cleo]);
  await setGroup(storage, [people.cleo, people.gus]);
  const made = await request();
  await cleo.press(made, 'Approve');
  const half = await seeAgain(ana, made, '1 of 2 approvals');
  expect(writes()).toEqual([]);
  await gus.press(half, 'Approve');
  await seeAgain(ana, made, 'is disabled.');
  await heardBack(ana);
});

test('a request whose rule has changed is void at the next click', async () => {
  const { ana } = world();
  const made = await request();
  await rule({ approvals: [...both, { from: [people.gus], count: 1 }] });
  expect(await refused('ben', made)).toContain('the rule for this action changed');
  const voided = await seeAgain(ana, made, 'Voided because the rule for this action changed.');
  expect(voided.text).toContain('Nothing was changed.');
  expect((await logOf(db(), made)).at(-1)).toContain('voided belay rule_changed');
  expect(writes()).toEqual([]);
});

test('the requesters of a rule replace the operators', async () => {
  await rule({ requesters: [people.gus] });
  expect(await typeAndRead(world().ana, disable)).toContain("doesn't let");
});

test('a request expires when the rule says', async () => {
  await rule({ approvals: both, hoursToDecide: 2 });
  await request('Left, ops-7');
  const { expires_at, requested_at } = await db()
    .selectFrom('approval')
    .select(['expires_at', 'requested_at'])
    .where('reason', '=', 'Left, ops-7')
    .executeTakeFirstOrThrow();
  expect(expires_at.getTime() - requested_at.getTime()).toBe(2 * 3_600_000);
});

test('the form and the answer say that nobody can meet a rule', async () => {
  const { ana } = world();
  await setGroup(security, [people.ana]);
  await ana.send('ops', disable);
  const form = await ana.seeDialog('This request would be refused right now.');
  const nobody = `1 of ${securityMention} must approve, but nobody can.`;
  expect(JSON.stringify(form.blocks)).toContain(nobody);
  await ana.submit(form, { reason: { input: 'Left' } });
  const answer = await ana.seeMessage("the rule for this action can't be met");
  expect(answer.text).toContain(`<@${people.ana}> is the requester.`);
});
