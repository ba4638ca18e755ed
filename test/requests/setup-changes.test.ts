import { expect, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { changeSetup, replaceConnection } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();

test('a changed connection voids pending requests, and their messages say so', async () => {
  const { ana, cleo, service } = world();
  const first = await ask(ana, '/belay disable joana.prado@example.com');
  const second = await ask(cleo, '/belay enable mariana.costa@example.com');

  const review = await replaceConnection(world());
  expect(JSON.stringify(review.blocks)).toContain(
    'this change voids 2 pending or scheduled requests:',
  );
  const words = 'Voided: The connection to the service was changed in setup. Nothing was changed.';
  for (const request of [first, second]) {
    expect(buttonTexts(await seeAgain(cleo, request, words))).toEqual([]);
  }
  expect((await heardBack(ana)).text).toContain(words);
  // Cleo also hears of the changes of the setup that were approved.
  const isNews = ({ text }: Message) => text.includes('Your request to ') && text.includes(words);
  await cleo.see(() => messagesOf(cleo).find(isNews), 'that the request is void');
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a change of approvers or channel does not void requests', async () => {
  const { ana, ben, cleo } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  const saved = await changeSetup(cleo, {
    approvers: [ben.slackUserId, cleo.slackUserId],
    channel: 'C0APPROVE2',
  });
  expect(JSON.stringify(saved.blocks)).not.toContain('voided');
  await ben.press(await seeAgain(ben, request, 'Waiting for approval.'), 'Approve');
  await seeAgain(ben, request, 'is disabled.');
  await heardBack(ana);
});

test('requests are posted in the approvals channel', async () => {
  const { ana, cleo } = world();
  await cleo.close(await changeSetup(cleo, { channel: 'C0APPROVE2' }));
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  expect(request.channelId).toBe('C0APPROVE2');
  const answer = await ana.seeMessage('Request sent to <#C0APPROVE2>.');
  expect(answer).toMatchObject({ channelId: 'C0OPS00001', isEphemeral: true });
});
