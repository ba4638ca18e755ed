import { expect, test } from 'vitest';
import { misusedTokens } from '../../../../playground/slack/installations/misuses.ts';
import { OLGA, ROSA, type Several, startSeveral } from './several.ts';

const rotating = (app: Several['config']) => {
  app.rotatesTokens = true;
};

const refreshArguments = (refreshToken: string) => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
});

test('a fault can be for one workspace only, refreshes included', async () => {
  const at = await startSeveral(rotating);
  const second = await at.install(at.second.teamId, OLGA);
  const third = await at.install(at.third.teamId, ROSA);
  at.slack.failNext('oauth.v2.access', 'invalid_refresh_token', at.third.teamId);
  at.slack.failNext('auth.test', { retryAfterSeconds: 3 }, at.third.teamId);
  expect(await at.access(refreshArguments(second.refreshToken))).toMatchObject({ ok: true });
  expect(await at.call('auth.test', second.token)).toMatchObject({ ok: true });
  expect(await at.access(refreshArguments(third.refreshToken))).toMatchObject({
    error: 'invalid_refresh_token',
  });
  expect(await at.call('auth.test', third.token)).toMatchObject({ error: 'ratelimited' });
  // The refused exchange did not take effect.
  expect(await at.access(refreshArguments(third.refreshToken))).toMatchObject({ ok: true });
});

test('lists calls with tokens that no longer work, were never issued or are of another workspace', async () => {
  const at = await startSeveral(rotating);
  const { token, refreshToken } = await at.install(at.second.teamId, OLGA);
  await at.call('chat.postMessage', token, { channel: 'C0W0000020', text: 'x' });
  await at.access(refreshArguments(refreshToken));
  expect(misusedTokens(at.slack.calls)).toEqual([]);
  await at.call('chat.postMessage', token, { channel: 'C0OPS00001', text: 'x' });
  await at.call('auth.test', 'xoxb-guessed');
  await at.slack.uninstall(at.second.teamId);
  await at.call('auth.test', token);
  await at.access(refreshArguments(refreshToken));
  const misused = misusedTokens(at.slack.calls).map(({ method, caller }) => [method, caller]);
  expect(misused).toMatchObject([
    ['chat.postMessage', { targetId: at.second.teamId, elsewhere: at.first.teamId }],
    ['auth.test', undefined],
    ['auth.test', { targetId: at.second.teamId, problem: 'account_inactive' }],
  ]);
});
