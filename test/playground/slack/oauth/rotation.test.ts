import { expect, test } from 'vitest';
import { OLGA, type Several, startSeveral, tokensIn } from '../installations/several.ts';

const TWELVE_HOURS = 43_200_000;

const rotating = (app: Several['config']) => {
  app.rotatesTokens = true;
};

const refresh = async (at: Several, refreshToken: string) =>
  tokensIn(await at.access({ grant_type: 'refresh_token', refresh_token: refreshToken }));

test('with rotation, tokens expire after twelve hours and are refreshed', async () => {
  const at = await startSeveral(rotating);
  const { answer, token, refreshToken } = await at.install(at.second.teamId, OLGA);
  expect(answer).toMatchObject({
    access_token: expect.stringMatching(/^xoxe\.xoxb-1-/),
    refresh_token: expect.stringMatching(/^xoxe-1-/),
    expires_in: 43_200,
  });
  at.wait(TWELVE_HOURS - 1);
  expect(await at.call('auth.test', token)).toMatchObject({ ok: true });
  at.wait(1);
  expect(await at.call('auth.test', token)).toEqual({ ok: false, error: 'token_expired' });
  // A token from before rotation doesn't expire.
  expect(await at.call('auth.test', at.first.app.botToken)).toMatchObject({ ok: true });
  const next = await refresh(at, refreshToken);
  expect(next.answer).toMatchObject({
    ok: true,
    expires_in: 43_200,
    token_type: 'bot',
    scope: at.config.scopes.join(','),
    team: { id: at.second.teamId },
    bot_user_id: at.second.app.botUserId,
  });
  expect(await at.call('auth.test', next.token)).toMatchObject({ team_id: at.second.teamId });
});

test('a refresh token works once, and each exchange is recorded', async () => {
  const at = await startSeveral(rotating);
  const { refreshToken } = await at.install(at.second.teamId, OLGA);
  await refresh(at, refreshToken);
  const again = await refresh(at, refreshToken);
  expect(again.answer).toEqual({ ok: false, error: 'invalid_refresh_token' });
  await refresh(at, 'xoxe-1-guessed');
  expect(at.slack.refreshes).toMatchObject([
    { targetId: at.second.teamId, attempt: 1, result: 'rotated' },
    { targetId: at.second.teamId, attempt: 2, result: 'invalid_refresh_token' },
    { tokenId: undefined, attempt: 1, result: 'invalid_refresh_token' },
  ]);
  expect(JSON.stringify([at.slack.refreshes, at.slack.calls])).not.toContain(refreshToken);
});

test('the previous access token stays valid until it expires, but at most two are valid', async () => {
  const at = await startSeveral(rotating);
  const first = await at.install(at.second.teamId, OLGA);
  const second = await refresh(at, first.refreshToken);
  expect(await at.call('auth.test', first.token)).toMatchObject({ ok: true });
  const third = await refresh(at, second.refreshToken);
  expect(await at.call('auth.test', first.token)).toEqual({ ok: false, error: 'token_revoked' });
  expect(await at.call('auth.test', second.token)).toMatchObject({ ok: true });
  expect(await at.call('auth.test', third.token)).toMatchObject({ ok: true });
});

test('a refresh whose answer is lost has spent the token', async () => {
  const at = await startSeveral(rotating);
  const { refreshToken } = await at.install(at.second.teamId, OLGA);
  at.slack.failNext('oauth.v2.access', { isAnswerLost: true });
  await expect(refresh(at, refreshToken)).rejects.toThrow();
  expect((await refresh(at, refreshToken)).answer).toMatchObject({
    error: 'invalid_refresh_token',
  });
  const calls = at.slack.calls.filter(({ caller }) => caller?.tokenId.startsWith('refresh'));
  expect(calls).toMatchObject([
    { method: 'oauth.v2.access', fault: { isAnswerLost: true }, result: { ok: true } },
    { method: 'oauth.v2.access', result: { ok: false } },
  ]);
});

test('a refresh that fails on the way may or may not have spent the token', async () => {
  const at = await startSeveral(rotating);
  const { refreshToken } = await at.install(at.second.teamId, OLGA);
  at.slack.failNext('oauth.v2.access', { status: 503 });
  await expect(refresh(at, refreshToken)).rejects.toThrow();
  expect(at.slack.refreshes).toEqual([]);
  at.slack.failNext('oauth.v2.access', { status: 503, afterActing: true });
  await expect(refresh(at, refreshToken)).rejects.toThrow();
  expect((await refresh(at, refreshToken)).answer).toMatchObject({
    error: 'invalid_refresh_token',
  });
});
