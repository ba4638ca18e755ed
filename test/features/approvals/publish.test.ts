import { expect, test } from 'vitest';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../../support/ask.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();
const command = '/belay disable joana.prado@example.com';

function copies() {
  return messagesOf(world().ana).filter(({ text }) => text.startsWith('Your request to '));
}

test.each(['internal_error', 'ratelimited'])(
  'what Slack refuses to show with %s is shown by the next try of the job, in both copies',
  async (error) => {
    const { ana, ben, slack } = world();
    const request = await ask(ana, command);
    for (let times = 0; times < 3; times += 1) slack.failNext('chat.update', error);
    slack.failNext('conversations.open', error);
    await ben.press(request, 'Approve');
    expect(buttonTexts(await seeAgain(ana, request, 'is disabled.'))).toEqual(['Re-enable']);
    await heardBack(ana);
    expect(copies()).toHaveLength(1);
    expect(slack.calls.filter(({ method }) => method === 'chat.update').length).toBeGreaterThan(3);
  },
);

test('a late click is told the state, even when the message cannot be updated now', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, command);
  slack.failNext('chat.update', 'message_not_found');
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Why not?'), { reason: { input: 'Not yet' } });
  await heardBack(ana);
  slack.failNext('chat.update', 'internal_error');
  await ben.press(request, 'Approve');
  expect((await ben.seeMessage('This request is closed.')).text).toContain('Denied by');
});

test('every update shows the latest row, and an older one never comes last', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, command);
  const faces: string[] = [];
  const stop = slack.subscribe(() => {
    const now = messagesOf(ana).find(({ messageTs }) => messageTs === request.messageTs);
    if (now && faces.at(-1) !== now.text) faces.push(now.text);
  });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  stop();
  const order = faces.map((text) =>
    ['Waiting for approval.', 'Carrying it out…', 'is disabled.'].findIndex((words) =>
      text.includes(words),
    ),
  );
  expect(order).toEqual(order.toSorted());
  const isUpToDate = async () => {
    const row = await db()
      .selectFrom('approval')
      .select(['version', 'rendered_version', 'notified_version'])
      .where('message_ts', '=', request.messageTs)
      .executeTakeFirstOrThrow();
    return row.rendered_version === row.version && row.notified_version === row.version;
  };
  await expect.poll(isUpToDate).toBe(true);
});
