import { expect, test } from 'vitest';
import { actAs } from '../../../../playground/act-as.ts';
import { sampleOrganization } from '../../../../playground/slack/more-workspaces.ts';
import { MIA, OLGA, type Several, startSeveral } from './several.ts';

const subscribed = (app: Several['config']) => {
  app.events = ['app_uninstalled', 'tokens_revoked'];
};

const eventsOf = (at: Several) =>
  at.app.deliveries.flatMap(({ payload }) => (payload.type === 'event_callback' ? [payload] : []));

const eventTypes = (at: Several) => eventsOf(at).map(({ event }) => Object(event).type);

test('an uninstall kills the tokens at once and tells the app, in the documented form', async () => {
  const at = await startSeveral(subscribed);
  const { token } = await at.installed(at.second.teamId, OLGA);
  const told = at.slack.uninstall(at.second.teamId);
  expect(await at.call('auth.test', token)).toEqual({ ok: false, error: 'account_inactive' });
  await told;
  expect(eventsOf(at)).toMatchObject([
    {
      ...{ type: 'event_callback', team_id: at.second.teamId, api_app_id: at.config.appId },
      event: { type: 'tokens_revoked', tokens: { oauth: [], bot: [at.second.app.botUserId] } },
    },
    { team_id: at.second.teamId, event: { type: 'app_uninstalled' } },
  ]);
  const mia = actAs(at.slack.workspace(at.second.teamId), MIA);
  await mia.send('ops', '/belay help');
  await mia.seeMessage('is not a valid command');
});

test('the events of an uninstall come in any order, twice, late or never', async () => {
  const at = await startSeveral(subscribed);
  const { teamId } = at.second;
  await at.installed(teamId, OLGA);
  await at.slack.uninstall(teamId, { events: ['app_uninstalled', 'tokens_revoked'] });
  await at.installed(teamId, OLGA);
  await at.slack.uninstall(teamId, { events: ['tokens_revoked', 'tokens_revoked'] });
  await at.installed(teamId, OLGA);
  await at.slack.uninstall(teamId, { events: [] });
  const never = ['app_uninstalled', 'tokens_revoked', 'tokens_revoked', 'tokens_revoked'];
  expect(eventTypes(at)).toEqual(never);
  await at.installed(teamId, OLGA);
  await at.slack.announceUninstall(teamId, ['app_uninstalled']);
  expect(eventTypes(at)).toEqual([...never, 'app_uninstalled']);
});

test('an app that is not subscribed is not told', async () => {
  const at = await startSeveral();
  await at.installed(at.second.teamId, OLGA);
  await at.slack.uninstall(at.second.teamId);
  expect(eventsOf(at)).toEqual([]);
});

test('installing again gives a new token, and the old one stays dead', async () => {
  const at = await startSeveral(subscribed);
  const before = await at.installed(at.second.teamId, OLGA);
  await at.slack.uninstall(at.second.teamId, { answer: 'token_revoked' });
  const after = await at.installed(at.second.teamId, OLGA);
  expect(await at.call('auth.test', before.token)).toMatchObject({ error: 'token_revoked' });
  expect(await at.call('auth.test', after.token)).toMatchObject({ ok: true });
});

test('an uninstall ends refresh tokens and response URLs', async () => {
  const at = await startSeveral((app) => {
    app.rotatesTokens = true;
  });
  const { refreshToken } = await at.installed(at.second.teamId, OLGA);
  await actAs(at.slack.workspace(at.second.teamId), MIA).send('ops', '/belay help');
  const responseUrl = String(at.app.deliveries.at(-1)?.payload.response_url);
  await at.slack.uninstall(at.second.teamId);
  const refreshed = await at.access({ grant_type: 'refresh_token', refresh_token: refreshToken });
  expect(refreshed).toMatchObject({ error: 'invalid_refresh_token' });
  const response = await fetch(responseUrl, { method: 'POST', body: '{"text":"x"}' });
  expect(response.status).toBe(404);
});

test('the app can uninstall itself with its credentials', async () => {
  const at = await startSeveral(subscribed);
  const { token } = await at.installed(at.second.teamId, OLGA);
  const { clientId: client_id, clientSecret: client_secret } = at.config;
  const wrong = await at.call('apps.uninstall', token, { client_id, client_secret: 'x' });
  expect(wrong).toMatchObject({ error: 'bad_client_secret' });
  expect(await at.call('apps.uninstall', token, { client_id, client_secret })).toEqual({
    ok: true,
  });
  expect(await at.call('auth.test', token)).toMatchObject({ error: 'account_inactive' });
  await expect.poll(() => eventTypes(at)).toEqual(['tokens_revoked', 'app_uninstalled']);
});

test('auth.revoke ends an installation without rotation, and one token with it', async () => {
  const at = await startSeveral(subscribed);
  const lasting = await at.installed(at.second.teamId, OLGA);
  expect(await at.call('auth.revoke', lasting.token, { test: '1' })).toMatchObject({
    revoked: false,
  });
  expect(await at.call('auth.revoke', lasting.token)).toEqual({ ok: true, revoked: true });
  expect(await at.call('auth.test', lasting.token)).toMatchObject({ error: 'token_revoked' });
  await expect.poll(() => eventTypes(at)).toEqual(['tokens_revoked']);

  at.config.rotatesTokens = true;
  const rotating = await at.installed(at.second.teamId, OLGA);
  await at.call('auth.revoke', rotating.token);
  expect(await at.call('auth.test', rotating.token)).toMatchObject({ error: 'token_revoked' });
  const args = { grant_type: 'refresh_token', refresh_token: rotating.refreshToken };
  expect(await at.access(args)).toMatchObject({ ok: true });
});

test('an organization is uninstalled as a whole, without a team_id', async () => {
  const at = await startSeveral(subscribed, { organization: sampleOrganization });
  const { token } = await at.installed('E0GROUP001', OLGA);
  await at.slack.uninstall('E0GROUP001', { events: ['app_uninstalled'] });
  expect(await at.call('auth.test', token)).toMatchObject({ error: 'account_inactive' });
  const [event] = eventsOf(at);
  expect(event).toMatchObject({ enterprise_id: 'E0GROUP001' });
  expect(event).not.toHaveProperty('team_id');
});
