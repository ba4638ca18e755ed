import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { input, modal } from './sample-blocks.ts';
import { ANA, OPS, seen, shortAckTimeout, startStage } from './stage.ts';
import { until } from './wait-until.ts';

const form = modal([input('reason', { type: 'plain_text_input', action_id: 'text' })]);

test('Bolt works over Socket Mode, without HTTP', async () => {
  const stage = await startStage();
  const { appToken, botToken } = stage.workspace.app;
  const receiver = new SocketModeReceiver({
    appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: stage.slack.apiUrl } },
  });
  const app = new App({
    receiver,
    token: botToken,
    clientOptions: { slackApiUrl: stage.slack.apiUrl },
    logLevel: LogLevel.ERROR,
    deferInitialization: true,
  });
  app.command('/belay', async ({ ack, client, body }) => {
    await ack(`You said ${body.text}`);
    await client.views.open({ trigger_id: body.trigger_id, view: form });
  });
  app.view('form', ({ ack }) =>
    ack({ response_action: 'errors', errors: { reason: 'Not that.' } }),
  );
  await app.init();
  await app.start();
  onTestFinished(async () => {
    await app.stop();
  });

  await stage.slack.perform(ANA, { type: 'send', channelId: OPS, text: '/belay hello' });
  expect(seen(stage, ANA)).toMatchObject([{ text: 'You said hello', isEphemeral: true }]);
  const { viewId } = await until(stage.slack, () => stage.slack.snapshot(ANA).views[0]);
  const values = { reason: { text: 'because' } };
  expect(await stage.slack.perform(ANA, { type: 'submit', viewId, values })).toEqual({
    result: 'ok',
  });
  expect(stage.slack.snapshot(ANA).views[0]?.errors).toEqual({ reason: 'Not that.' });
  expect(stage.app.deliveries).toEqual([]);
});

const connect = (url: string) =>
  new Promise<'open' | 'refused'>((resolve) => {
    const socket = new WebSocket(url);
    socket.once('message', () => resolve('open'));
    socket.once('error', () => resolve('refused'));
    onTestFinished(() => socket.terminate());
  });

const openUrl = async (stage: Awaited<ReturnType<typeof startStage>>): Promise<string> => {
  const token = stage.workspace.app.appToken;
  const { url } = await stage.client.apps.connections.open({ token });
  return String(url);
};

test('a socket URL works once, and an unknown one is refused', async () => {
  const stage = await startStage();
  const url = await openUrl(stage);
  expect(await connect(url)).toBe('open');
  expect(await connect(url)).toBe('refused');
  expect(await connect(url.replace(/ticket=.*/, 'ticket=guess'))).toBe('refused');
});

test('an unacknowledged envelope is reported as operation_timeout', async () => {
  const stage = await startStage(undefined, shortAckTimeout);
  expect(await connect(await openUrl(stage))).toBe('open');
  const typed = { type: 'send' as const, channelId: OPS, text: '/belay help' };
  expect(await stage.slack.perform(ANA, typed)).toEqual({ result: 'operation_timeout' });
});
