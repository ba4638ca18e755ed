import { verifySlackRequest } from '@slack/bolt';
import { expect, test } from 'vitest';
import { ANA, BEN, OPS, SAM, type Stage, seen, shortAckTimeout, startStage } from './stage.ts';

const type = (stage: Stage, text: string, slackUserId = ANA) =>
  stage.slack.perform(slackUserId, { type: 'send', channelId: OPS, text });

test('a command is delivered as a signed form with all fields that Slack sends', async () => {
  const stage = await startStage();
  expect(await type(stage, '/belay users  ana')).toEqual({ result: 'ok' });
  const [delivery] = stage.app.deliveries;
  if (!delivery) throw new Error('Nothing was delivered.');
  const { headers, body, payload } = delivery;
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  verifySlackRequest({
    signingSecret: stage.workspace.app.signingSecret,
    body,
    headers: {
      'x-slack-signature': String(headers['x-slack-signature']),
      'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp']),
    },
  });
  expect(payload).toMatchObject({
    command: '/belay',
    text: 'users  ana',
    user_id: ANA,
    user_name: 'ana',
    team_id: stage.workspace.teamId,
    channel_id: OPS,
    channel_name: 'ops',
    api_app_id: stage.workspace.app.appId,
    is_enterprise_install: 'false',
    trigger_id: expect.any(String),
    response_url: expect.stringContaining(stage.slack.url),
  });
  expect(seen(stage, ANA)).toEqual([]);
});

test.each([
  ['disable @ben now', 'disable <@U0BEN00002|ben> now'],
  ['post in #ops', 'post in <#C0OPS00001|ops>'],
  ['disable @nobody', 'disable @nobody'],
  ['users ana@harbor.example', 'users ana@harbor.example'],
  ['a < b & c', 'a &lt; b &amp; c'],
])('the text %j is escaped as %j', async (typed, escaped) => {
  const stage = await startStage();
  await type(stage, `/belay ${typed}`);
  expect(stage.app.deliveries[0]?.payload).toMatchObject({ text: escaped });
});

test('an answer is private unless it is in_channel', async () => {
  const stage = await startStage();
  stage.app.reply = () => ({ status: 200, body: { text: 'Just you' } });
  await type(stage, '/belay');
  stage.app.reply = () => ({ status: 200, body: 'plain words' });
  await type(stage, '/belay');
  expect(seen(stage, ANA).map((one) => one.text)).toEqual(['Just you', 'plain words']);
  expect(seen(stage, BEN)).toEqual([]);

  stage.app.reply = () => ({ status: 200, body: { text: 'All', response_type: 'in_channel' } });
  await type(stage, '/belay status');
  expect(seen(stage, BEN).map((one) => [one.authorId, one.text])).toEqual([
    [ANA, '/belay status'],
    [stage.workspace.app.botUserId, 'All'],
  ]);
});

test.each([
  ['never' as const, 'operation_timeout'],
  [{ status: 500 }, 'dispatch_failed'],
  [{ status: 302 }, 'dispatch_failed'],
])('an app that answers %j is reported as %s', async (reply, error) => {
  const stage = await startStage(undefined, reply === 'never' ? shortAckTimeout : {});
  stage.app.reply = () => reply;
  expect(await type(stage, '/belay help')).toEqual({ result: error });
  expect(seen(stage, ANA)).toMatchObject([
    { authorId: 'USLACKBOT', isEphemeral: true, text: `/belay failed with the error "${error}"` },
  ]);
  expect(seen(stage, BEN)).toEqual([]);
});

test('an unreachable app is reported as dispatch_failed', async () => {
  const stage = await startStage();
  await stage.app.close();
  expect(await type(stage, '/belay help')).toEqual({ result: 'dispatch_failed' });
});

test('an answer with invalid blocks is reported, not shown', async () => {
  const stage = await startStage();
  stage.app.reply = () => ({ status: 200, body: { text: 'x', blocks: [{ type: 'nope' }] } });
  await type(stage, '/belay');
  expect(seen(stage, ANA)).toMatchObject([{ text: expect.stringContaining('invalid_blocks') }]);
});

test('Slackbot rejects unknown commands', async () => {
  const stage = await startStage();
  await type(stage, '/belat help');
  expect(stage.app.deliveries).toEqual([]);
  expect(seen(stage, ANA)).toMatchObject([{ text: '`/belat` is not a valid command.' }]);
});

test('a person of another workspace sends their own team id', async () => {
  const stage = await startStage();
  await type(stage, '/belay', SAM);
  expect(stage.app.deliveries[0]?.payload).toMatchObject({ team_id: 'T0PARTNER1', user_id: SAM });
});
