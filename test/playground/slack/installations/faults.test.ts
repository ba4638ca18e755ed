import { expect, test } from 'vitest';
import {
  misusedTokens,
  repeatedRefreshes,
} from '../../../../playground/slack/installations/misuses.ts';
import { OLGA, ROSA, type Several, startSeveral } from './several.ts';

const rotating = (app: Several['config']) => {
  app.rotatesTokens = true;
};

const refreshArguments = (refreshToken: string) => ({
  ...{ grant_type: 'refresh_token', refresh_token: refreshToken },
});

test('a fault can be for one workspace only, refreshes included', async () => {
  const at = await startSeveral(rotating);
  const second = await at.installed(at.second.teamId, OLGA);
  const third = await at.installed(at.third.teamId, ROSA);
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

test('an answer can wait after its call took effect', async () => {
  const at = await startSeveral(rotating);
  const { refreshToken } = await at.installed(at.second.teamId, OLGA);
  const { promise: heldUntil, resolve } = Promise.withResolvers<void>();
  at.slack.failNext('oauth.v2.access', { heldUntil });
  const waiting = at.access(refreshArguments(refreshToken));
  await expect.poll(() => at.slack.refreshes.length).toBe(1);
  const meanwhile = await at.access(refreshArguments(refreshToken));
  expect(meanwhile).toMatchObject({ error: 'invalid_refresh_token' });
  resolve();
  expect(await waiting).toMatchObject({ ok: true });
});

test('a policy decides on the faults of all calls', async () => {
  const at = await startSeveral(rotating);
  const second = await at.installed(at.second.teamId, OLGA);
  const third = await at.installed(at.third.teamId, ROSA);
  at.slack.setFaultPolicy(({ method, placeId }) =>
    method === 'auth.test' && placeId === at.second.teamId ? 'internal_error' : undefined,
  );
  expect(await at.call('auth.test', second.token)).toMatchObject({ error: 'internal_error' });
  expect(await at.call('auth.test', third.token)).toMatchObject({ ok: true });
  at.slack.setFaultPolicy(undefined);
  expect(await at.call('auth.test', second.token)).toMatchObject({ ok: true });
});

test('all tokens can expire at one time', async () => {
  const at = await startSeveral(rotating);
  const second = await at.installed(at.second.teamId, OLGA);
  const third = await at.installed(at.third.teamId, ROSA);
  at.slack.expireTokens(new Date('2026-11-20T10:00:00Z'));
  at.wait(3_599_999);
  expect(await at.call('auth.test', second.token)).toMatchObject({ ok: true });
  at.wait(1);
  expect(await at.call('auth.test', second.token)).toMatchObject({ error: 'token_expired' });
  expect(await at.call('auth.test', third.token)).toMatchObject({ error: 'token_expired' });
  expect(await at.call('auth.test', at.first.app.botToken)).toMatchObject({ ok: true });
});

test('calls with dead, unknown and wrong tokens, and repeated refreshes, can be listed', async () => {
  const at = await startSeveral(rotating);
  const { token, refreshToken } = await at.installed(at.second.teamId, OLGA);
  await at.call('chat.postMessage', token, { channel: 'C0W0000020', text: 'x' });
  await at.access(refreshArguments(refreshToken));
  expect(misusedTokens(at.slack.calls)).toEqual([]);
  expect(repeatedRefreshes(at.slack.refreshes)).toEqual([]);
  await at.call('chat.postMessage', token, { channel: 'C0OPS00001', text: 'x' });
  await at.call('auth.test', 'xoxb-guessed');
  await at.slack.uninstall(at.second.teamId);
  await at.call('auth.test', token);
  await at.access(refreshArguments(refreshToken));
  const misused = misusedTokens(at.slack.calls).map(({ method, caller }) => [method, caller]);
  expect(misused).toMatchObject([
    ['chat.postMessage', { placeId: at.second.teamId, elsewhere: at.first.teamId }],
    ['auth.test', undefined],
    ['auth.test', { placeId: at.second.teamId, problem: 'account_inactive' }],
  ]);
  expect(repeatedRefreshes(at.slack.refreshes)).toMatchObject([
    { placeId: at.second.teamId, attempt: 2, result: 'invalid_refresh_token' },
  ]);
});
