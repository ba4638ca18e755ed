import { beforeEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import type { ActionRule } from '../../../src/workspace/rules.ts';
import { ask, messagesOf, newMessages } from '../../support/ask.ts';
import { storeSettings } from '../../support/store-settings.ts';
import { shareWorldWithDatabase } from '../world-with-database.ts';

const security = 'S0SECURITY';
const disable = '/belay disable joana.prado@example.com';
const minute = 60_000;

let ahead = 0;
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  callLimits: { command: 1000, click: 1000 },
});

async function setRule(rule: Partial<ActionRule>): Promise<void> {
  await storeSettings(db(), {
    approvers: [people.ben],
    // It names somebody from the start: that no rule does is remembered for a while.
    access: { rules: { 'users.disable': { ...rule, breakGlass: [people.dee] } } },
  });
}

beforeEach(async () => {
  ahead = 0;
  await db().deleteFrom('approval').execute();
  await db().deleteFrom('delivery_message').execute();
  await db().deleteFrom('delivery_channel').execute();
  await setRule({ remindAfterMinutes: 30 });
});

const repliesTo = ({ messageTs }: Message) =>
  messagesOf(world().ana).filter((one) => one.text.startsWith('⏰') && one.threadTs === messageTs);

async function sweepAfter(minutes: number): Promise<void> {
  ahead = minutes * minute;
  await world().belay.sweep();
}

const queued = async () =>
  (
    await db()
      .selectFrom('delivery_message')
      .select(['message', 'message_ts'])
      .where('reply_to', 'is not', null)
      .execute()
  ).length;

test('a waiting request reminds those who can decide it, each gap twice as long', async () => {
  const { ana } = world();
  const request = await ask(ana, disable);
  await sweepAfter(29);
  expect(await queued()).toBe(0);
  await sweepAfter(30);
  await ana.see(() => repliesTo(request)[0], 'the first reminder');
  await sweepAfter(89);
  expect(await queued()).toBe(1);
  await sweepAfter(90);
  const [, second] = await ana.see(
    () => (repliesTo(request).length === 2 ? repliesTo(request) : undefined),
    'the second reminder',
  );
  expect(second?.text).toMatch(
    /^⏰ \*Reminder\* · <@U0ANA00001>'s request to disable \*Joana Prado\*/,
  );
  expect(second?.text).toContain(`Approver: <@${people.ben}> · Expires`);
  expect(second?.text).toContain('|View request>');
});

test('after downtime one reminder is sent, however many were missed', async () => {
  const request = await ask(world().ana, disable);
  await sweepAfter(300);
  await world().ana.see(() => repliesTo(request)[0], 'the reminder');
  await sweepAfter(449);
  expect(await queued()).toBe(1);
  await sweepAfter(450);
  expect(await queued()).toBe(2);
});

test('only one of many processes sends it', async () => {
  await ask(world().ana, disable);
  ahead = 31 * minute;
  await Promise.all(Array.from({ length: 8 }, () => world().belay.sweep()));
  expect(await queued()).toBe(1);
});

test('a decided or expired request, or one without the setting, sends none', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, disable);
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'No' },
  });
  await ana.seeMessage('Denied');
  await sweepAfter(100);
  await setRule({});
  ahead = 0;
  await ask(ana, '/belay disable kim.lee@example.com');
  await sweepAfter(100);
  await setRule({ remindAfterMinutes: 600 });
  ahead = 0;
  await ask(ana, '/belay disable sven.moreau@example.com');
  await sweepAfter(700);
  expect(await queued()).toBe(0);
});

test('only groups and people whose approval is needed are mentioned', async () => {
  const { ana, ben, slack } = world();
  slack.setGroup(security, { members: [people.cleo] });
  await setRule({
    remindAfterMinutes: 30,
    approvals: [
      { from: [people.ben], count: 1 },
      { from: [security], count: 1 },
    ],
  });
  const seeNew = newMessages(ana);
  await ana.send('ops', disable);
  await ana.submit(await ana.seeDialog('Reason'), { reason: { input: 'Left' } });
  const request = await seeNew('Pending');
  await ben.press(request, 'Approve');
  await ana.seeMessage('1 of 2 approvals');
  await sweepAfter(30);
  const reminder = await ana.see(() => repliesTo(request)[0], 'the reminder');
  expect(reminder.text).toContain(`Needs approval from 1 of <!subteam^${security}> · Expires`);
  expect(reminder.text).not.toContain(people.ben);
});
