import { expect, test } from 'vitest';
import { actAs } from '../../../../playground/act-as.ts';
import { sampleOrganization } from '../../../../playground/slack/more-workspaces.ts';
import { MIA, OLGA, type Several, startSeveral } from './several.ts';

const subscribed = (app: Several['config']) => {
  app.events = ['app_uninstalled', 'tokens_revoked'];
};

const eventsOf = (at: Several) =>
  at.app.deliveries.flatMap(({ payload }) => (payload.type === 'event_callback' ? [payload] : []));

test('an uninstall ends the tokens immediately and sends the documented events', async () => {
  const at = await startSeveral(subscribed);
  const { token } = await at.install(at.second.teamId, OLGA);
  const announced = at.slack.uninstall(at.second.teamId);
  expect(await at.call('auth.test', token)).toEqual({ ok: false, error: 'account_inactive' });
  await announced;
  expect(eventsOf(at)).toMatchObject([
    {
      type: 'event_callback',
      team_id: at.second.teamId,
      api_app_id: at.config.appId,
      event: { type: 'tokens_revoked', tokens: { oauth: [], bot: [at.second.app.botUserId] } },
    },
    { team_id: at.second.teamId, event: { type: 'app_uninstalled' } },
  ]);
  const mia = actAs(at.slack.workspace(at.second.teamId), MIA);
  await mia.send('ops', '/belay help');
  await mia.seeMessage('is not a valid command');
});

test('an app that is not subscribed gets no events about an uninstall', async () => {
  const at = await startSeveral();
  await at.install(at.second.teamId, OLGA);
  await at.slack.uninstall(at.second.teamId);
  expect(eventsOf(at)).toEqual([]);
});

test('installing again gives a new token, and the old one stays revoked', async () => {
  const at = await startSeveral(subscribed);
  const before = await at.install(at.second.teamId, OLGA);
  await at.slack.uninstall(at.second.teamId);
  const after = await at.install(at.second.teamId, OLGA);
  expect(await at.call('auth.test', before.token)).toMatchObject({ error: 'account_inactive' });
  expect(await at.call('auth.test', after.token)).toMatchObject({ ok: true });
});

test('an uninstall ends refresh tokens and response URLs', async () => {
  const at = await startSeveral((app) => {
    app.rotatesTokens = true;
  });
  const { refreshToken } = await at.install(at.second.teamId, OLGA);
  await actAs(at.slack.workspace(at.second.teamId), MIA).send('ops', '/belay help');
  const responseUrl = String(at.app.deliveries.at(-1)?.payload.response_url);
  await at.slack.uninstall(at.second.teamId);
  const refreshed = await at.access({ grant_type: 'refresh_token', refresh_token: refreshToken });
  expect(refreshed).toMatchObject({ error: 'invalid_refresh_token' });
  const response = await fetch(responseUrl, { method: 'POST', body: '{"text":"x"}' });
  expect(response.status).toBe(404);
});

test('an organization is uninstalled as a whole, without a team_id', async () => {
  const at = await startSeveral(subscribed, { organization: sampleOrganization });
  const { token } = await at.install('E0GROUP001', OLGA);
  await at.slack.uninstall('E0GROUP001');
  expect(await at.call('auth.test', token)).toMatchObject({ error: 'account_inactive' });
  const [event] = eventsOf(at);
  expect(event).toMatchObject({ enterprise_id: 'E0GROUP001' });
  expect(event).not.toHaveProperty('team_id');
});
