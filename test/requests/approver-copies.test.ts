import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Actor } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { storeSettings } from '../support/store-settings.ts';
import { requestForSeveral } from './request-for-several.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

let ahead = 0;
const { world, db } = shareWorldWithDatabase({
  approvers: [people.ben, people.cleo],
  clock: () => new Date(Date.now() + ahead),
});
const email = 'joana.prado@example.com';
const command = `/belay disable ${email}`;
const approverButtons = ['Approve', 'Deny', 'Approve with comment…', 'View user'];

function ops() {
  const found = world().workspace.channels.find(({ name }) => name === 'ops');
  if (!found) throw new Error('there is no channel #ops');
  return found;
}

beforeEach(async () => {
  ahead = 0;
  await forgetPending();
  world().slack.setPerson(people.gus, { isGuest: false, email: 'gus@harbor.example' });
  ops().members = [people.ana, people.cleo, people.dee];
});
afterEach(() => {
  delete ops().members;
});

const isDirect = ({ channelId }: Message) => channelId.startsWith('D');
const copiesOf = (person: Actor) =>
  messagesOf(person).filter((one) => isDirect(one) && one.text.includes(' approval to disable '));

function copyOf(person: Actor): Promise<Message> {
  return person.see(() => copiesOf(person)[0], 'the direct message of an approver');
}

/** What waits would reach new approvers. */
async function forgetPending(): Promise<void> {
  await db().deleteFrom('approval').where('state', '=', 'pending').execute();
}

/** All approvers of the request have their message, or need none. */
async function settled(): Promise<void> {
  const waiting = () =>
    db().selectFrom('request_copy').selectAll().where('shown_version', '<', 0).execute();
  await expect.poll(waiting).toEqual([]);
}

test('an approver who is not in the channel decides from a direct message', async () => {
  const { ana, ben, cleo, service } = world();
  const request = await ask(ana, command);
  const copy = await copyOf(ben);
  const blocks = JSON.stringify(copy.blocks);
  expect(copy.text).toContain('<@U0ANA00001> requests approval to disable *Joana Prado*');
  expect(blocks).toContain('Left the company on Friday');
  expect(blocks).toContain('|View request>');
  expect(buttonTexts(copy)).toEqual(approverButtons);

  await ben.press(copy, 'Approve');
  await seeAgain(ana, request, 'is disabled. Approved by <@U0BEN00002>');
  const decided = await seeAgain(ben, copy, 'is disabled.');
  expect(buttonTexts(decided)).toEqual(['View user']);
  await heardBack(ana);
  expect(await logOf(db(), request)).toEqual([
    ...[`requested ${people.ana}`, `approved ${people.ben}`, 'started belay', 'completed belay'],
  ]);
  expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  // Cleo is in the channel, whose message names her.
  expect(copiesOf(cleo)).toEqual([]);
});

test('an approver denies from a direct message, which then shows the reason', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);
  const copy = await copyOf(ben);
  await ben.press(copy, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'On leave' },
  });
  await seeAgain(ana, request, '&gt; On leave');
  await seeAgain(ben, copy, '&gt; On leave');
  await heardBack(ana);
  expect(copiesOf(ben)).toHaveLength(0);
});

test("a decision in the channel takes the buttons from the approver's direct message", async () => {
  const { ana, ben, cleo } = world();
  const request = await ask(ana, command);
  const copy = await copyOf(ben);
  await cleo.press(request, 'Approve');
  const decided = await seeAgain(ben, copy, 'Approved by <@U0CLEO0003>');
  expect(buttonTexts(decided)).toEqual(['View user']);
  await heardBack(ana);
});

test('an approver who requests, or who may not decide, gets none', async () => {
  const { ana, ben, slack } = world();
  const own = await ask(ana.other(people.cleo), command);
  await copyOf(ben);
  await settled();
  expect(copiesOf(world().cleo)).toEqual([]);
  await ben.press(own, 'Approve').catch(() => undefined);
  slack.setPerson(people.ben, { email: 'ana+second@harbor.example' });
  await ask(ana, '/belay disable sven.moreau@example.com');
  await settled();
  expect(copiesOf(ben).filter(({ text }) => text.includes('Sven'))).toEqual([]);
  slack.setPerson(people.ben, { email: 'ben@harbor.example' });
});

test('nobody gets a direct message where the admins decide', async () => {
  const { ana, cleo } = world();
  delete ops().members;
  await cleo.close(await changeSetup(cleo, { approvers: [] }));
  ops().members = [people.ana, people.dee];
  await ask(ana, command);
  await settled();
  expect(copiesOf(cleo)).toEqual([]);
  delete ops().members;
  await forgetPending();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
});

test('of several approvers, one who has approved keeps no buttons', async () => {
  const { ana, ben, cleo } = world();
  ops().members = [people.ana];
  await requestForSeveral(world(), db(), { requester: ana, email });
  await world().belay.sweep();
  const [one, other] = [await copyOf(ben), await copyOf(cleo)];
  await ben.press(one, 'Approve');
  const half = await seeAgain(ben, one, '1 of 2 approvals');
  expect(buttonTexts(half)).toEqual(['View user']);
  expect(buttonTexts(await seeAgain(cleo, other, '1 of 2 approvals'))).toEqual(approverButtons);
  const copy = await heardBack(ana);
  expect(JSON.stringify(copy.blocks)).toContain(
    `Needs 1 more approval from <@${people.cleo}> · Expires`,
  );
  await cleo.press(other, 'Approve');
  await seeAgain(ben, half, 'is disabled.');
  await seeAgain(ana, copy, 'is disabled.');
});

test.each(['internal_error', 'ratelimited'])(
  'a direct message to an approver is retried if Slack fails with %s',
  async (error) => {
    const { ana, ben, slack } = world();
    slack.failNext('conversations.open', error);
    await ask(ana, command);
    await settled();
    expect(copiesOf(ben)).toHaveLength(1);
  },
);

test('a direct message whose answer was lost is found again, and sent once', async () => {
  const { ana, ben, slack } = world();
  slack.failNext('conversations.members', 'ratelimited');
  const request = await ask(ana, command);
  slack.failNext('chat.postMessage', { isAnswerLost: true });
  await settled();
  expect(copiesOf(ben)).toHaveLength(1);
  const place = () =>
    db()
      .selectFrom('request_copy as copy')
      .innerJoin('approval', 'approval.id', 'copy.approval_id')
      .select('copy.message_ts')
      .where('approval.message_ts', '=', request.messageTs)
      .where('slack_user_id', '=', people.ben)
      .executeTakeFirstOrThrow();
  expect((await place()).message_ts).toBe(copiesOf(ben)[0]?.messageTs);
});

test('a copy whose place was not recorded loses its buttons when the request is decided', async () => {
  const { ana, ben, cleo } = world();
  const request = await ask(ana, command);
  const copy = await copyOf(ben);
  await settled();
  // As left by a process that died after Slack had posted it.
  await db()
    .updateTable('request_copy')
    .set({ channel_id: null, message_ts: null })
    .where('slack_user_id', '=', people.ben)
    .execute();
  await cleo.press(request, 'Approve');
  expect(buttonTexts(await seeAgain(ben, copy, 'is disabled.'))).toEqual(['View user']);
  await heardBack(ana);
});

test('a person who becomes an approver gets one, and one who was loses the buttons', async () => {
  const { ana, ben, cleo, gus } = world();
  await ask(ana, command);
  const copy = await copyOf(ben);
  // Approves the change, which is requested in the channel.
  ops().members = [people.ana, people.ben, people.cleo, people.dee];
  await cleo.close(await changeSetup(cleo, { approvers: [people.cleo, people.gus] }));
  await gus.see(() => copiesOf(gus)[0], 'the direct message of a new approver');
  const removed = await ben.see(() => {
    const now = copiesOf(ben).find(({ messageTs }) => messageTs === copy.messageTs);
    return now && buttonTexts(now).length === 1 ? now : undefined;
  }, 'a copy without buttons');
  expect(buttonTexts(removed)).toEqual(['View user']);
  delete ops().members;
  await forgetPending();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
});

/** As if setup had saved it. Every process has noticed after ten seconds. */
async function saveRoles(approvers: string[], viewers: string[]): Promise<void> {
  await storeSettings(db(), {
    approvers: approvers,
    access: { roles: { viewers } },
  });
  ahead += 11_000;
}

const revoked = 'You no longer have access to this request.';

test('the message of an approver who became a guest loses its content and buttons', async () => {
  const { ana, ben, cleo, slack } = world();
  const request = await ask(ana, command);
  const copy = await copyOf(ben);
  slack.setPerson(people.ben, { isGuest: true });
  onTestFinished(() => slack.setPerson(people.ben, { isGuest: false }));
  await cleo.press(request, 'Approve');
  const now = await seeAgain(ben, copy, revoked);
  expect(JSON.stringify(now)).not.toContain('Joana');
  expect(buttonTexts(now)).toEqual([]);
  await heardBack(ana);
});

test('the message of an approver who may no longer see requests loses its content', async () => {
  const { ana, ben, cleo } = world();
  const request = await ask(ana, command);
  const copy = await copyOf(ben);
  onTestFinished(() => saveRoles([people.ben, people.cleo], []));
  await saveRoles([people.cleo], [people.ana]);
  await cleo.press(request, 'Approve');
  expect(buttonTexts(await seeAgain(ben, copy, revoked))).toEqual([]);
  await heardBack(ana);
});

test('a former approver has no button to cancel a deletion', async () => {
  const { ana, ben, cleo } = world();
  const kim = 'kim.lee@example.com';
  const request = await ask(ana, `/belay delete ${kim}`, { email: { input: kim } });
  const copy = await ben.see(
    () => messagesOf(ben).find((one) => isDirect(one) && one.text.includes('Kim Lee')),
    'the direct message of an approver',
  );
  onTestFinished(() => saveRoles([people.ben, people.cleo], []));
  await saveRoles([people.cleo], []);
  await cleo.press(request, 'Approve');
  expect(buttonTexts(await seeAgain(ben, copy, 'will be deleted'))).toEqual(['View user']);
  await cleo.press(await seeAgain(cleo, request, 'will be deleted'), 'Cancel deletion');
  await seeAgain(ben, copy, 'The deletion was canceled.');
});

test('direct messages that take longer than one claim are sent once, with the next claim', async () => {
  const { ana, ben, cleo, slack } = world();
  await sql`create table claimed (until timestamptz)`.execute(db());
  await sql`
    create function note_claim() returns trigger language plpgsql as $$
    begin
      insert into claimed values (new.rendering_until);
      return new;
    end $$`.execute(db());
  await sql`
    create trigger note_claim before update of rendering_until on approval
    for each row when (new.rendering_until is not null) execute function note_claim()`.execute(
    db(),
  );
  onTestFinished(async () => {
    await sql`drop function note_claim cascade`.execute(db());
    await sql`drop table claimed`.execute(db());
  });
  ops().members = [people.ana];
  onTestFinished(
    slack.subscribe(() => {
      if (copiesOf(ben).length + copiesOf(cleo).length > 0) ahead = 16_000;
    }),
  );
  await ask(ana, command);
  await settled();
  expect([copiesOf(ben).length, copiesOf(cleo).length]).toEqual([1, 1]);
  const { rows } = await sql`select until from claimed`.execute(db());
  expect(rows).toHaveLength(2);
});
