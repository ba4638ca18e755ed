import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { MIA, OLGA, startSeveral, tokensIn } from '../installations/several.ts';

const TEN_MINUTES = 10 * 60 * 1000;

test('a code is exchanged for a token of the workspace, in the documented form', async () => {
  const at = await startSeveral();
  const returned = await at.slack.install(at.second.teamId, OLGA);
  const client = new WebClient(undefined, { slackApiUrl: at.slack.apiUrl });
  const answer = await client.oauth.v2.access({
    client_id: at.config.clientId,
    client_secret: at.config.clientSecret,
    code: returned.searchParams.get('code') ?? '',
  });
  expect(answer).toMatchObject({
    ok: true,
    app_id: at.config.appId,
    token_type: 'bot',
    access_token: expect.stringMatching(/^xoxb-/),
    bot_user_id: at.second.app.botUserId,
    scope: at.config.scopes.join(','),
    team: { id: at.second.teamId, name: 'Orchard Cloud' },
    enterprise: null,
    is_enterprise_install: false,
    authed_user: { id: OLGA },
  });
  expect(answer).not.toHaveProperty('refresh_token');
  expect(answer).not.toHaveProperty('expires_in');
  const installed = new WebClient(answer.access_token ?? '', { slackApiUrl: at.slack.apiUrl });
  expect(await installed.auth.test()).toMatchObject({
    team_id: at.second.teamId,
    team: 'Orchard Cloud',
    user_id: at.second.app.botUserId,
  });
});

test('the page names the permissions, and its decisions lead back to the app with the state', async () => {
  const at = await startSeveral();
  const callback = `${new URL(at.app.url).origin}/slack/oauth_redirect`;
  const query = new URLSearchParams({
    client_id: at.config.clientId,
    scope: 'commands,chat:write',
    state: 'a b&c',
    redirect_uri: callback,
  });
  const authorizeUrl = `${at.slack.url}/oauth/v2/authorize?${query}`;
  const page = await (await fetch(authorizeUrl)).text();
  expect(page).toContain('<li>chat:write</li>');
  expect(page).toContain(`value="${at.second.teamId}/${OLGA}"`);
  const canceled = await at.slack.install(at.second.teamId, OLGA, {
    authorizeUrl,
    decision: 'cancel',
  });
  expect(canceled.href.startsWith(callback)).toBe(true);
  expect(Object.fromEntries(canceled.searchParams)).toEqual({
    error: 'access_denied',
    state: 'a b&c',
  });
  const allowed = await at.slack.install(at.second.teamId, MIA, { authorizeUrl });
  expect(allowed.searchParams.get('state')).toBe('a b&c');
  const code = allowed.searchParams.get('code') ?? '';
  expect(await at.access({ code })).toMatchObject({ error: 'bad_redirect_uri' });
  expect(await at.access({ code, redirect_uri: callback })).toMatchObject({
    ok: true,
    scope: 'commands,chat:write',
  });
});

test('a code works once, for ten minutes, and only with the credentials of the app', async () => {
  const at = await startSeveral();
  const codeOf = async () =>
    (await at.slack.install(at.second.teamId, OLGA)).searchParams.get('code') ?? '';
  const code = await codeOf();
  expect(await at.access({ code, client_id: '1.2' })).toMatchObject({ error: 'invalid_client_id' });
  expect(await at.access({ code, client_secret: 'x' })).toMatchObject({
    error: 'bad_client_secret',
  });
  expect(await at.access({ code, grant_type: 'password' })).toMatchObject({
    error: 'invalid_grant_type',
  });
  expect(await at.access({ code })).toMatchObject({ ok: true });
  expect(await at.access({ code })).toMatchObject({ error: 'code_already_used' });
  expect(await at.access({ code: 'guessed' })).toMatchObject({ error: 'invalid_code' });
  const late = await codeOf();
  at.wait(TEN_MINUTES + 1);
  expect(await at.access({ code: late })).toMatchObject({ error: 'invalid_code' });
});

test('credentials can come by Basic authentication, and none is recorded', async () => {
  const at = await startSeveral();
  const code = (await at.slack.install(at.second.teamId, OLGA)).searchParams.get('code') ?? '';
  const { clientId, clientSecret } = at.config;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const response = await fetch(`${at.slack.apiUrl}oauth.v2.access`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ code }),
  });
  const answer = await response.json();
  expect(answer).toMatchObject({ ok: true });
  await at.access({ code });
  const recorded = JSON.stringify(at.slack.calls);
  for (const secret of [code, clientSecret, answer.access_token]) {
    expect(recorded).not.toContain(secret);
  }
});

test.each([
  ['an unknown client', { client_id: '1.2' }, 'invalid_client_id'],
  ['no scopes', { scope: '' }, 'no_scopes'],
  ['a scope that the app does not have', { scope: 'commands,admin' }, 'invalid_scope'],
  ['a foreign redirect', { redirect_uri: 'https://evil.example/cb' }, 'bad_redirect_uri'],
])('the page refuses %s without a redirect', async (_what, changed, error) => {
  const at = await startSeveral();
  const query = { client_id: at.config.clientId, scope: 'commands', ...changed };
  const url = `${at.slack.url}/oauth/v2/authorize?${new URLSearchParams(query)}`;
  const response = await fetch(url, { redirect: 'manual' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(error);
});

test('only full members of a workspace can install the app there', async () => {
  const at = await startSeveral();
  await expect(at.slack.install(at.first.teamId, 'U0GUS00004')).rejects.toThrow('no_permission');
  await expect(at.slack.install(at.second.teamId, 'U0ANA00001')).rejects.toThrow('refused');
});

test('installing again keeps a lasting token and adds scopes', async () => {
  const at = await startSeveral();
  const installWith = async (scope: string) => {
    const query = new URLSearchParams({ client_id: at.config.clientId, scope });
    const authorizeUrl = `${at.slack.url}/oauth/v2/authorize?${query}`;
    const returned = await at.slack.install(at.second.teamId, MIA, { authorizeUrl });
    return tokensIn(await at.access({ code: returned.searchParams.get('code') ?? '' }));
  };
  const before = await installWith('commands');
  expect(before.answer).toMatchObject({ scope: 'commands', authed_user: { id: MIA } });
  const again = await installWith('chat:write');
  expect(again.token).toBe(before.token);
  expect(again.answer).toMatchObject({ scope: 'commands,chat:write' });
});
