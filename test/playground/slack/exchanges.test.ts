import { expect, test } from 'vitest';
import { type Exchange, paths } from '../../../playground/slack/protocol.ts';
import { ANA, OPS, type Stage, shortAckTimeout, startStage } from './stage.ts';

async function read({ slack }: Stage, after = 0) {
  const response = await fetch(`${slack.url}${paths.exchanges}?after=${after}`);
  const text = await response.text();
  const exchanges: Exchange[] = JSON.parse(text);
  return { text, exchanges };
}

test('requests to the app and its calls are listed with their outcome and duration', async () => {
  const stage = await startStage();
  const { response_url } = await stage.command(ANA);
  await stage.client.chat.postMessage({ channel: OPS, text: 'Hello' });
  await stage.client.chat
    .postMessage({ channel: 'C0NOBODY', text: 'Hello' })
    .catch(() => undefined);
  const body = JSON.stringify({ text: 'Done' });
  await fetch(response_url, { method: 'POST', body });
  const { exchanges } = await read(stage);
  expect(exchanges).toMatchObject([
    { to: 'app', name: '/belay', outcome: 'ok', request: { user_id: ANA } },
    { to: 'slack', name: 'chat.postMessage', outcome: 'ok', response: { ok: true } },
    { to: 'slack', name: 'chat.postMessage', outcome: 'channel_not_found' },
    { to: 'slack', name: 'response_url', outcome: 'ok', request: { text: 'Done' } },
  ]);
  expect(exchanges.every(({ ms }) => ms >= 0)).toBe(true);
  expect((await read(stage, exchanges[2]?.id)).exchanges).toEqual(exchanges.slice(3));
});

test('a request that the app does not acknowledge has its error', async () => {
  const stage = await startStage(undefined, shortAckTimeout);
  stage.app.reply = () => 'never';
  await stage.slack.perform(ANA, { type: 'send', channelId: OPS, text: '/belay alerts' });
  expect((await read(stage)).exchanges).toMatchObject([
    { name: '/belay alerts', outcome: 'operation_timeout', response: null },
  ]);
});

test('credentials are hidden', async () => {
  const stage = await startStage();
  const { app } = stage.workspace;
  const apiToken = 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ1cyJ9.c2lnbmF0dXJl';
  const { trigger_id, response_url } = await stage.command(ANA);
  const typed = `/belay setup ${apiToken} ${app.botToken} ${app.appToken}`;
  await stage.slack.perform(ANA, { type: 'send', channelId: OPS, text: typed });
  await stage.client.auth.test();
  const { text } = await read(stage);
  const secrets = [app.botToken, app.appToken, app.signingSecret, apiToken];
  for (const secret of [...secrets, trigger_id, response_url, 'legacy-verification-token']) {
    expect(text).not.toContain(secret);
  }
  expect(text).toContain('/belay setup (hidden)');
});
