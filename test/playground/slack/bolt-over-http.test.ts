import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { until } from './wait-until.ts';

const ANA = 'U0ANA00001';
const BEN = 'U0BEN00002';
const OPS = 'C0OPS00001';

const modal = {
  type: 'modal' as const,
  callback_id: 'ask',
  title: { type: 'plain_text' as const, text: 'Disable a user' },
  submit: { type: 'plain_text' as const, text: 'Ask' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'reason',
      label: { type: 'plain_text' as const, text: 'Reason' },
      element: { type: 'plain_text_input' as const, action_id: 'text' },
    },
  ],
};

const approve = {
  type: 'actions' as const,
  block_id: 'decision',
  elements: [
    {
      type: 'button' as const,
      action_id: 'approve',
      value: '1',
      text: { type: 'plain_text' as const, text: 'Approve' },
    },
  ],
};

let slack: LocalSlack;
let receiver: HTTPReceiver;

beforeAll(async () => {
  const workspace = createWorkspace();
  slack = await startLocalSlack({ workspace });
  receiver = new HTTPReceiver({
    signingSecret: workspace.app.signingSecret,
    logLevel: LogLevel.ERROR,
  });
  const app = new App({
    receiver,
    deferInitialization: true,
    token: workspace.app.botToken,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  app.command('/belay', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: modal });
  });
  app.view('ask', async ({ ack, view, client, body }) => {
    const reason = view.state.values.reason?.text?.value ?? '';
    if (reason === 'no') return ack({ response_action: 'errors', errors: { reason: 'Say more.' } });
    await ack();
    await client.chat.postMessage({
      channel: OPS,
      text: `<@${body.user.id}> asks: ${reason}`,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: reason } }, approve],
    });
    return undefined;
  });
  app.action('approve', async ({ ack, respond, body }) => {
    await ack();
    await respond({ replace_original: true, text: `Approved by <@${body.user.id}>` });
  });
  await app.init();
  const server = await receiver.start(0);
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The receiver has no port.');
  slack.connectApp(`http://127.0.0.1:${address.port}/slack/events`);
});

afterAll(async () => {
  await receiver.stop();
  await slack.close();
});

test('command, modal, field error, message, button and replacement work with the real Bolt', async () => {
  expect(
    await slack.perform(ANA, { type: 'send', channelId: OPS, text: '/belay disable' }),
  ).toEqual({ result: 'ok' });
  const opened = await until(slack, () => slack.snapshot(ANA).views[0]);
  const submit = (reason: string) =>
    slack.perform(ANA, {
      type: 'submit',
      viewId: opened.viewId,
      values: { reason: { text: reason } },
    });

  await submit('no');
  expect(slack.snapshot(ANA).views[0]?.errors).toEqual({ reason: 'Say more.' });

  await submit('left & gone');
  expect(slack.snapshot(ANA).views).toEqual([]);
  const posted = await until(slack, () => slack.snapshot(BEN).conversations[0]?.messages[0]);
  expect(posted.blocks?.[0]).toMatchObject({ text: { text: 'left &amp; gone' } });

  await slack.perform(BEN, {
    type: 'act',
    container: { kind: 'message', channelId: OPS, messageTs: posted.messageTs },
    blockId: 'decision',
    actionId: 'approve',
  });
  const replaced = await until(slack, () =>
    slack.snapshot(ANA).conversations[0]?.messages.find((message) => message.isEdited),
  );
  expect(replaced).toMatchObject({ text: `Approved by <@${BEN}>`, messageTs: posted.messageTs });
  expect(replaced.blocks).toBeUndefined();
});
