import { expect, test } from 'vitest';
import { ANA, OPS, type Stage, startStage } from '../stage.ts';

const call = async (
  stage: Stage,
  method: string,
  token?: string,
  body = `channel=${OPS}&text=x`,
) => {
  const response = await fetch(`${stage.slack.apiUrl}${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body,
  });
  return response.json();
};

test('tokens are checked', async () => {
  const stage = await startStage();
  const { botToken, appToken } = stage.workspace.app;
  expect(await call(stage, 'auth.test')).toEqual({ ok: false, error: 'not_authed' });
  expect(await call(stage, 'auth.test', 'xoxb-wrong')).toMatchObject({ error: 'invalid_auth' });
  expect(await call(stage, 'auth.test', appToken)).toMatchObject({
    error: 'not_allowed_token_type',
  });
  expect(await call(stage, 'apps.connections.open', botToken)).toMatchObject({
    error: 'not_allowed_token_type',
  });
  expect(await call(stage, 'auth.test', undefined, `token=${botToken}`)).toMatchObject({
    ok: true,
    team_id: stage.workspace.teamId,
    user_id: stage.workspace.app.botUserId,
    bot_id: stage.workspace.app.botId,
  });
});

test('a missing scope is reported by name', async () => {
  const stage = await startStage((workspace) => {
    workspace.app.scopes = ['commands'];
  });
  expect(await call(stage, 'chat.postMessage', stage.workspace.app.botToken)).toEqual({
    ok: false,
    error: 'missing_scope',
    needed: 'chat:write',
    provided: 'commands',
  });
});

test('an unknown method is refused', async () => {
  const stage = await startStage();
  const token = stage.workspace.app.botToken;
  expect(await call(stage, 'chat.shout', token)).toMatchObject({ error: 'unknown_method' });
  expect(await call(stage, 'constructor', token)).toMatchObject({ error: 'unknown_method' });
});

test('invalid arguments are answered with an error', async () => {
  const stage = await startStage();
  const token = stage.workspace.app.botToken;
  expect(await call(stage, 'chat.postMessage', token, 'text=x')).toMatchObject({
    error: 'invalid_arguments',
  });
  const broken = `channel=${OPS}&text=x&blocks=%7Bbroken`;
  expect(await call(stage, 'chat.postMessage', token, broken)).toMatchObject({
    error: 'invalid_blocks',
  });
  expect(await call(stage, 'views.open', token, 'trigger_id=1&view=nonsense')).toMatchObject({
    error: 'invalid_arguments',
  });
});

test('calls are recorded without the token, and can be made to fail', async () => {
  const stage = await startStage();
  const { botToken, appToken } = stage.workspace.app;
  stage.slack.failNext('chat.postMessage', 'fatal_error');
  const post = () => stage.client.chat.postMessage({ channel: OPS, text: 'Hello' });
  await expect(post()).rejects.toMatchObject({ data: { error: 'fatal_error' } });
  await post();
  await call(stage, 'auth.test', undefined, `token=${botToken}`);
  await call(stage, 'apps.connections.open', appToken, '');
  expect(stage.slack.calls.map((one) => [one.method, one.result.ok])).toEqual([
    ['chat.postMessage', false],
    ['chat.postMessage', true],
    ['auth.test', true],
    ['apps.connections.open', true],
  ]);
  expect(stage.slack.calls[0]?.arguments).toMatchObject({ channel: OPS, text: 'Hello' });
  const log = JSON.stringify(stage.slack.calls);
  for (const secret of [botToken, appToken, 'ticket=']) expect(log).not.toContain(secret);
});

test('reset removes messages, modals, calls and changes', async () => {
  const stage = await startStage();
  await stage.client.chat.postMessage({ channel: OPS, text: 'Hello' });
  stage.slack.setPerson(ANA, { isGuest: true });
  const { response_url } = await stage.command(ANA);
  stage.slack.reset();
  expect(stage.slack.calls).toEqual([]);
  const { conversations, me } = stage.slack.snapshot(ANA);
  expect(conversations.flatMap((one) => one.messages)).toEqual([]);
  expect(me.isGuest).toBe(false);
  expect((await fetch(response_url, { method: 'POST', body: '{"text":"x"}' })).status).toBe(404);
});
