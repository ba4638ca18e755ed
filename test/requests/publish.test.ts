import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();
const command = '/belay disable joana.prado@example.com';

function copies() {
  return messagesOf(world().ana).filter(({ text }) => text.includes('Your request to '));
}

test.each(['internal_error', 'ratelimited'])(
  'the job retries both messages if Slack fails with %s',
  async (error) => {
    const { ana, ben, slack } = world();
    const request = await ask(ana, command);
    for (let times = 0; times < 3; times += 1) slack.failNext('chat.update', error);
    slack.failNext('conversations.open', error);
    await ben.press(request, 'Approve');
    expect(buttonTexts(await seeAgain(ana, request, 'is disabled.'))).toEqual([
      'Re-enable',
      'View user',
    ]);
    await heardBack(ana);
    expect(copies()).toHaveLength(1);
    expect(slack.calls.filter(({ method }) => method === 'chat.update').length).toBeGreaterThan(3);
  },
);

test("a late click gets the state, even if the message can't be updated", async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, command);
  slack.failNext('chat.update', 'message_not_found');
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'Not yet' },
  });
  await heardBack(ana);
  slack.failNext('chat.update', 'internal_error');
  await ben.press(request, 'Approve');
  expect((await ben.seeMessage('This request was denied.')).text).toContain('Denied by');
});

test('updates are shown in order, and end with the latest state', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, command);
  const renderings: string[] = [];
  const stop = slack.subscribe(() => {
    const now = messagesOf(ana).find(({ messageTs }) => messageTs === request.messageTs);
    if (now && renderings.at(-1) !== now.text) renderings.push(now.text);
  });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  stop();
  const order = renderings.map((text) =>
    ['Waiting for approval.', 'Belay is making the change.', 'is disabled.'].findIndex((words) =>
      text.includes(words),
    ),
  );
  expect(order).toEqual(order.toSorted());
  await expect.poll(() => isUpToDate(request)).toBe(true);
});

/** Whether nothing is left to publish. */
async function isUpToDate({ messageTs }: Message): Promise<boolean> {
  const row = await db()
    .selectFrom('approval')
    .select(['version', 'published_version'])
    .where('message_ts', '=', messageTs)
    .executeTakeFirstOrThrow();
  return row.published_version === row.version;
}

test.each(['cant_update_message', 'edit_window_closed', 'msg_too_long'])(
  "a message that can't be updated is given up if Slack answers %s",
  async (error) => {
    const { ana, ben, slack } = world();
    const request = await ask(ana, command);
    for (let times = 0; times < 100; times += 1) slack.failNext('chat.update', error);
    await ben.press(request, 'Approve');
    await heardBack(ana);
    await expect.poll(() => isUpToDate(request)).toBe(true);
  },
);

test("a database that fails after the requester's message was sent causes no second one", async () => {
  const { ana, ben } = world();
  // A sequence is not rolled back with the transaction.
  await sql`create sequence failed_records`.execute(db());
  await sql`
    create function fail_record() returns trigger language plpgsql as $$
    begin
      if new.kind = 'requester' and new.message_ts is not null and nextval('failed_records') <= 2 then
        raise 'the server is restarting';
      end if;
      return new;
    end $$`.execute(db());
  await sql`
    create trigger fail_record before update of message_ts on request_copy
    for each row execute function fail_record()`.execute(db());
  onTestFinished(async () => {
    await sql`drop function fail_record cascade`.execute(db());
    await sql`drop sequence failed_records`.execute(db());
  });
  const request = await ask(ana, command);
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  await expect.poll(() => placeOfCopy(request)).toBe(copies()[0]?.messageTs);
  expect(copies()).toHaveLength(1);
});

/** Where the requester's message is, as it is stored. */
async function placeOfCopy({ messageTs }: Message): Promise<string | null> {
  const copy = await db()
    .selectFrom('request_copy')
    .innerJoin('approval', 'approval.id', 'approval_id')
    .select('request_copy.message_ts')
    .where('approval.message_ts', '=', messageTs)
    .where('kind', '=', 'requester')
    .executeTakeFirstOrThrow();
  return copy.message_ts;
}

/** How often the requester's message was sent when Slack's answer to the first one was lost. */
async function copiesAfterLostAnswer(): Promise<number> {
  const { ana, ben, slack } = world();
  const request = await ask(ana, command);
  slack.failNext('chat.postMessage', { isAnswerLost: true });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await expect.poll(() => placeOfCopy(request)).not.toBeNull();
  return copies().length;
}

test('a message whose answer from Slack was lost is found again and not sent twice', async () => {
  expect(await copiesAfterLostAnswer()).toBe(1);
});

test('without the scope to read direct messages, the message is sent again', async () => {
  const { app } = world().workspace;
  const { scopes } = app;
  app.scopes = scopes.filter((scope) => scope !== 'im:history');
  onTestFinished(() => {
    app.scopes = scopes;
  });
  expect(await copiesAfterLostAnswer()).toBe(2);
});
