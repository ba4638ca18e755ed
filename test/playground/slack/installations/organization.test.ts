import { expect, test } from 'vitest';
import { actAs } from '../../../../playground/act-as.ts';
import { sampleOrganization } from '../../../../playground/slack/more-workspaces.ts';
import { MIA, OLGA, PAUL, ROSA, type Several, startSeveral } from './several.ts';

const start = () =>
  startSeveral(
    (app) => {
      app.events = ['app_mention'];
      app.scopes = [...app.scopes, 'app_mentions:read'];
    },
    { organization: sampleOrganization },
  );

const lastPayload = (at: Several) => at.app.deliveries.at(-1)?.payload ?? {};

test('an installation in the organization has no team, and its token works in each workspace', async () => {
  const at = await start();
  const { answer, token } = await at.install('E0GROUP001', OLGA);
  expect(answer).toMatchObject({
    team: null,
    enterprise: { id: 'E0GROUP001', name: 'Meridian Group' },
    is_enterprise_install: true,
    bot_user_id: 'U0GROUPBOT',
    authed_user: { id: OLGA },
  });
  expect(await at.call('auth.test', token)).toMatchObject({
    team_id: 'E0GROUP001',
    enterprise_id: 'E0GROUP001',
    is_enterprise_install: true,
    team: 'Meridian Group',
    user_id: 'U0GROUPBOT',
    bot_id: 'B0GROUPBOT',
  });
  for (const [channel, slackUserId, workspace] of [
    ['C0W0000020', MIA, at.second],
    ['C0W0000030', PAUL, at.third],
  ] as const) {
    const text = `for ${workspace.name}`;
    expect(await at.call('chat.postMessage', token, { channel, text })).toMatchObject({ ok: true });
    const actor = actAs(at.slack.workspace(workspace.teamId), slackUserId);
    expect(await actor.seeMessage(text)).toMatchObject({ authorId: 'U0GROUPBOT' });
  }
  const direct = { channel: PAUL, text: 'Hello, Paul.' };
  expect(await at.call('chat.postMessage', token, direct)).toMatchObject({ ok: true });
  await actAs(at.slack.workspace(at.third.teamId), PAUL).seeMessage('Hello, Paul.');
  const outside = { channel: 'C0OPS00001', text: 'x' };
  expect(await at.call('chat.postMessage', token, outside)).toMatchObject({
    error: 'channel_not_found',
  });
});

test('methods about a whole workspace need its team_id', async () => {
  const at = await start();
  const { token } = await at.install('E0GROUP001', OLGA);
  expect(await at.call('users.list', token)).toMatchObject({ error: 'missing_argument' });
  const listed = await at.call('users.list', token, { team_id: at.third.teamId });
  expect(listed).toMatchObject({
    members: [{ id: PAUL, enterprise_user: { enterprise_id: 'E0GROUP001' } }, {}, { id: ROSA }],
  });
  expect(await at.call('users.list', token, { team_id: at.first.teamId })).toMatchObject({
    error: 'team_access_not_granted',
  });
  expect(await at.call('team.info', token, { team: at.second.teamId })).toMatchObject({
    team: { id: at.second.teamId, enterprise_id: 'E0GROUP001' },
  });
});

test('payloads of an organization name it, and interactions have no team', async () => {
  const at = await start();
  const { token } = await at.install('E0GROUP001', OLGA);
  const mia = actAs(at.slack.workspace(at.second.teamId), MIA);
  await mia.send('ops', '/belay help');
  expect(lastPayload(at)).toMatchObject({
    team_id: at.second.teamId,
    enterprise_id: 'E0GROUP001',
    enterprise_name: 'Meridian Group',
    is_enterprise_install: 'true',
  });
  const trigger_id = String(lastPayload(at).trigger_id);
  const view = JSON.stringify({
    type: 'modal',
    title: { type: 'plain_text', text: 'Hello' },
    submit: { type: 'plain_text', text: 'Send' },
    blocks: [{ type: 'divider' }],
  });
  expect(await at.call('views.open', token, { trigger_id, view })).toMatchObject({ ok: true });
  await mia.submit(await mia.seeDialog('Hello'), {});
  expect(lastPayload(at)).toMatchObject({
    type: 'view_submission',
    team: null,
    is_enterprise_install: true,
    enterprise: { id: 'E0GROUP001', name: 'Meridian Group' },
    user: { id: MIA, team_id: at.second.teamId },
    view: { team_id: at.second.teamId, app_installed_team_id: 'E0GROUP001' },
  });
  await mia.send('ops', 'Hi @belay');
  await expect.poll(() => lastPayload(at).type).toBe('event_callback');
  expect(lastPayload(at)).toMatchObject({
    team_id: at.second.teamId,
    context_enterprise_id: 'E0GROUP001',
    authorizations: [
      {
        enterprise_id: 'E0GROUP001',
        team_id: at.second.teamId,
        user_id: 'U0GROUPBOT',
        is_enterprise_install: true,
      },
    ],
  });
});

test('a workspace of an organization can have its own installation', async () => {
  const at = await start();
  const { answer } = await at.install(at.second.teamId, MIA);
  expect(answer).toMatchObject({
    team: { id: at.second.teamId },
    is_enterprise_install: false,
    enterprise: { id: 'E0GROUP001' },
  });
  await actAs(at.slack.workspace(at.second.teamId), MIA).send('ops', '/belay help');
  expect(lastPayload(at)).toMatchObject({
    enterprise_id: 'E0GROUP001',
    is_enterprise_install: 'false',
  });
});

test("a workspace can't install the app if its organization has the app", async () => {
  const at = await start();
  await at.install('E0GROUP001', OLGA);
  await expect(at.slack.install(at.second.teamId, MIA)).rejects.toThrow(
    'cannot_install_an_org_installed_app',
  );
});

test('only admins can install for the organization', async () => {
  const at = await start();
  await expect(at.slack.install('E0GROUP001', MIA)).rejects.toThrow('refused');
});
