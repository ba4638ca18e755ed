import { expect, test } from 'vitest';
import { ask, heardBack, seeAgain } from '../support/ask.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();

test("the requester's message begins with the outcome and links to the request", async () => {
  const { ana, ben } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  await ben.press(request, 'Approve');
  const copy = await heardBack(ana);
  expect(copy.text).toMatch(
    /^✅ Completed: \*Joana Prado\*'s account \(joana\.prado@example\.com\) is disabled\. Approved by /,
  );
  const place = `${request.channelId}/p${request.messageTs.replace('.', '')}`;
  const link = `<https://harbor-ops.slack.com/archives/${place}|View request>`;
  expect(JSON.stringify(copy.blocks)).toContain(link);
});

test('without a permanent link the message names the channel', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  slack.failNext('chat.getPermalink', 'internal_error');
  await ben.press(request, 'Approve');
  const copy = await heardBack(ana);
  expect(JSON.stringify(copy.blocks)).toContain(` · <#${request.channelId}>`);
});

test('View user on a request shows the user as they are now', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  await ben.press(request, 'Approve');
  const done = await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  await ana.press(done, 'View user');
  expect((await ana.seeMessage('⛔ *Disabled*')).isEphemeral).toBe(true);
});
