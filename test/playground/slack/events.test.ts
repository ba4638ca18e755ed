import { expect, test } from 'vitest';
import { ANA, OPS, type Stage, shortAckTimeout, startStage } from './stage.ts';

const subscribed = (stage: Stage['workspace']) => {
  stage.app.events = ['message.im', 'app_mention'];
  stage.app.scopes = [...stage.app.scopes, 'im:history', 'app_mentions:read'];
};

const DIRECT = 'D0ANA00001';

const eventsOf = (stage: Stage) =>
  stage.app.deliveries.flatMap(({ payload }) =>
    payload.type === 'event_callback' ? [payload] : [],
  );

/** Slack does not wait for the app: the events arrive some time after the message. */
const delivered = (stage: Stage, count: number) =>
  expect.poll(() => eventsOf(stage).length).toBe(count);

test('direct messages, the own ones of the app included, and mentions are delivered as events', async () => {
  const stage = await startStage(subscribed);
  const say = (channelId: string, text: string) =>
    stage.slack.perform(ANA, { type: 'send', channelId, text });
  await say(OPS, 'not for the app');
  await say(OPS, 'Hi @belay & all');
  await delivered(stage, 1);
  await say(DIRECT, 'hello');
  await delivered(stage, 2);
  await stage.client.chat.postMessage({ channel: DIRECT, text: 'Hello, Ana.' });
  await delivered(stage, 3);
  expect(eventsOf(stage)).toMatchObject([
    {
      team_id: 'T0HARBOR01',
      api_app_id: 'A0BELAY001',
      event_id: expect.any(String),
      event: {
        type: 'app_mention',
        user: ANA,
        channel: OPS,
        text: 'Hi <@U0BELAYBOT> &amp; all',
      },
    },
    { event: { type: 'message', channel_type: 'im', user: ANA, channel: DIRECT, text: 'hello' } },
    { event: { type: 'message', channel_type: 'im', bot_id: 'B0BELAY001', channel: DIRECT } },
  ]);
});

test('an event needs its subscription and its scope', async () => {
  const stage = await startStage((workspace) => {
    workspace.app.events = ['message.im'];
  });
  await stage.slack.perform(ANA, { type: 'send', channelId: DIRECT, text: 'hello' });
  await stage.slack.perform(ANA, { type: 'send', channelId: OPS, text: '/belay' });
  expect(eventsOf(stage)).toEqual([]);
});

test('an event that is not acknowledged is sent again at once, with the reason', async () => {
  const stage = await startStage(subscribed, shortAckTimeout);
  stage.app.reply = () => 'never';
  await stage.slack.perform(ANA, { type: 'send', channelId: DIRECT, text: 'hello' });
  await delivered(stage, 2);
  const [first, again] = stage.app.deliveries;
  expect(again?.payload.event_id).toBe(first?.payload.event_id);
  expect(again?.headers).toMatchObject({
    'x-slack-retry-num': '1',
    'x-slack-retry-reason': 'http_timeout',
  });
});
