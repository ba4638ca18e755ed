import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const minuteMs = 60_000;
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const { world, db } = shareWorldWithDatabase({ clock });
afterEach(() => {
  ahead = 0;
});

/** A request that was posted by a process that died before it could record the message. */
async function postUnrecorded(): Promise<Message> {
  const request = await ask(world().ana, '/belay disable joana.prado@example.com');
  await db()
    .updateTable('approval')
    .set({ message_ts: null, wake_at: new Date(Date.now() + 2 * minuteMs) })
    .where('message_ts', '=', request.messageTs)
    .execute();
  return request;
}

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

async function click(on: Message, button: string): Promise<{ answer: Promise<string> }> {
  const { url, answer } = await openAnswerBox();
  const by = { slackUserId: people.ben, on, button, responseUrl: url, at: clock() };
  await clickRaw(world(), by);
  return { answer };
}

const voided = "Belay couldn't post the request in time. Nothing was changed.";

test('a request whose message was not recorded is voided after two minutes, and a click says so', async () => {
  const { ana, belay } = world();
  const request = await postUnrecorded();
  ahead = minuteMs;
  await belay.sweep();
  expect(messagesOf(ana).some(({ text }) => text.includes('Voided'))).toBe(false);
  ahead = 3 * minuteMs;
  await belay.sweep();
  await ana.seeMessage(voided);

  const { answer } = await click(request, 'Approve');
  expect(await answer).toContain(`This request is no longer valid. ${voided}`);
  expect(buttonTexts(await seeAgain(ana, request, voided))).toEqual([]);
  expect(writes()).toEqual([]);
});

test('a request whose message was not recorded can be approved before that, and its message is updated', async () => {
  const request = await postUnrecorded();
  const { ana, ben } = world();
  await ben.press(request, 'Approve');
  expect(buttonTexts(await seeAgain(ana, request, 'is disabled.'))).toEqual([
    'Re-enable',
    'View user',
  ]);
  await ana.seeMessage(/ is disabled\. .*Your request to disable /);
});

test('a request whose message was not recorded can be denied before that, and its message is updated', async () => {
  const request = await postUnrecorded();
  const { ana, ben } = world();
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'Not yet' },
  });
  expect(buttonTexts(await seeAgain(ana, request, 'Denied by'))).toEqual(['View user']);
  await ana.seeMessage(/Denied by .*Your request to disable /);
  expect(writes()).toEqual([]);
});

test('the address of the message is recorded before the decision, so that a process that dies afterward leaves no outdated message', async () => {
  const { ana, ben } = world();
  const request = await postUnrecorded();
  await sql`
    create function fail_late_record() returns trigger language plpgsql as $$
    begin
      if old.state <> 'pending' then raise 'the process died'; end if;
      return new;
    end $$`.execute(db());
  await sql`
    create trigger fail_late_record before update of message_ts on approval
    for each row execute function fail_late_record()`.execute(db());
  onTestFinished(async () => {
    await sql`drop function fail_late_record cascade`.execute(db());
  });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
});
