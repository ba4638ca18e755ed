import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { erasePersonalText } from '../../src/audit-log/erase-personal-text.ts';
import { approvableActions } from '../../src/features/actions/index.ts';
import { createEraseRequests } from '../../src/requests/store/erase-requests.ts';
import { invitation } from '../features/users/invite/invite-stage.ts';
import { ask, heardBack, seeAgain, withdraw } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { openProtectedUsers, requestReviewed } from '../support/rules.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const documented = shareWorldWithDatabase();
const { world, db } = documented;
const live = shareWorldWithDatabase({ dialect: 'live' });
const email = 'joana.prado@example.com';

/** Erases the personal text of all entries about this request. */
async function erase({ messageTs }: Message, { world, db } = documented): Promise<void> {
  const rows = await db()
    .selectFrom('audit_log as entry')
    .innerJoin('approval', 'approval.id', 'entry.approval_id')
    .select(['entry.team_id', 'entry.seq'])
    .where('approval.message_ts', '=', messageTs)
    .execute();
  const key = Buffer.from(world().env.BELAY_ENCRYPTION_KEYS ?? '', 'base64');
  const append = createAppendEntry([key]);
  await erasePersonalText(
    {
      db: db(),
      append,
      onErased: createEraseRequests(approvableActions),
    },
    {
      teamId: rows[0]?.team_id ?? '',
      entries: rows.map(({ seq }) => seq),
      at: new Date(),
      by: { actor: people.cleo },
    },
  );
}

/** Clicks a button that an outdated client still shows; resolves to the private answer. */
async function clickLate(on: Message): Promise<string> {
  const { url, answer } = await openAnswerBox();
  await clickRaw(world(), { slackUserId: people.cleo, on, button: 'Approve', responseUrl: url });
  return answer;
}

test('a late click on a voided request says that the reason was erased', async () => {
  const { ana, ben, service, portal } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  const joana = service.users(portal.id).find((user) => user.email === email);
  service.changeUser(portal.id, joana?.id ?? '', { full_name: 'Joana Lima' });
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'Voided: Name changed');
  await heardBack(ana);

  await erase(request);
  expect(await clickLate(request)).toMatch(
    /This request is no longer valid\. The reason was erased\. Nothing was changed\./,
  );
});

test('the comments of approvers are erased with the entries about the request', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  await ben.press(request, 'Approve with comment…');
  await ben.submit(await ben.seeDialog('Approve request'), { comment: { input: 'She has left' } });
  await heardBack(ana);
  await seeAgain(ben, request, '&gt; She has left');
  await erase(request);
  const row = await db()
    .selectFrom('approval')
    .select(['decision_reason', 'votes'])
    .where('message_ts', '=', request.messageTs)
    .executeTakeFirstOrThrow();
  expect(row.decision_reason).toBeNull();
  expect(JSON.stringify(row.votes)).not.toContain('She has left');
  expect(await clickLate(request)).toContain('Approved by <@U0BEN00002>');
});

test('nobody decides a request whose subject was erased', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  const { messageTs } = request;
  const { id } = await db()
    .selectFrom('approval')
    .select('id')
    .where('message_ts', '=', messageTs)
    .executeTakeFirstOrThrow();
  const { snapshot } = await db()
    .selectFrom('run')
    .select('snapshot')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const store = (value: unknown) =>
    db()
      .updateTable('run')
      .set({ snapshot: JSON.stringify(value) })
      .where('id', '=', id)
      .execute();
  await db().updateTable('run').set({ snapshot: null }).where('id', '=', id).execute();
  await ben.press(request, 'Approve');
  await ben.seeMessage('The names in this request were erased');
  await store(snapshot);
  await ben.press(request, 'Approve');
  await heardBack(ana);
});

test('a late click on a denied request says that the reason was erased', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'She is on leave' },
  });
  await seeAgain(ben, request, '&gt; She is on leave');
  await heardBack(ana);

  await erase(request);
  expect(await clickLate(request)).toMatch(
    /Nothing was changed\. The reason was erased\. Denied by <@U0BEN00002> <!date/,
  );
});

test('the addresses of protected users are erased with the entries about the request', async () => {
  const { ben, cleo } = world();
  await cleo.submit(await openProtectedUsers(cleo), { addresses: { input: 'vip@example.com' } });
  const request = await requestReviewed(cleo, ben);
  expect(JSON.stringify(request.blocks)).toContain('vip@example.com');
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'The setup was changed.');
  await ben.seeMessage("changed Belay's setup");
  await erase(request);
  const requests = await db().selectFrom('run').select('payload').execute();
  const changes = await db().selectFrom('setup_change').select('change').execute();
  expect(JSON.stringify([requests, changes])).not.toContain('vip@example.com');
  expect(await clickLate(request)).toContain('Approved by <@U0BEN00002>');
});

test('the address of an open invitation can be erased before it expires', async () => {
  const { ana, ben } = live.world();
  const kim = 'kim@example.com';
  await ana.send('ops', `/belay invite ${kim}`);
  await ana.submit(await ana.seeDialog('Organizational units'), invitation);
  const request = await ana.seeMessage('requests approval to invite');
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'Completed');
  await heardBack(ana);

  await erase(request, live);
  const runs = await live
    .db()
    .selectFrom('run')
    .select(['payload', 'snapshot', 'wake_at'])
    .execute();
  expect(JSON.stringify(runs)).not.toContain(kim);
  expect(runs).toMatchObject([{ snapshot: null, wake_at: null }]);
});

test('the hash of an invited address is erased with the address', async () => {
  const { ana } = live.world();
  const lee = 'lee@example.com';
  await ana.send('ops', `/belay invite ${lee}`);
  const form = await ana.seeDialog('Organizational units');
  await ana.submit(form, { ...invitation, email: { input: lee } });
  const request = await ana.seeMessage(lee);
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Withdrawn');
  const read = () =>
    live
      .db()
      .selectFrom('run')
      .innerJoin('approval', 'approval.id', 'run.approval_id')
      .select(['run.id', 'run.subject_id'])
      .where('approval.message_ts', '=', request.messageTs)
      .executeTakeFirstOrThrow();
  const { id, subject_id: before } = await read();
  expect(before).not.toContain(id);

  await erase(request, live);
  expect((await read()).subject_id).toBe(`private:${id}`);
});
