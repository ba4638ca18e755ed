import { WebAPIHTTPError, WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { ANA, OPS, type Stage, startStage } from '../stage.ts';

const say = (stage: Stage) => stage.client.chat.postMessage({ channel: OPS, text: 'x' });

it('counts posts and edits per second', async () => {
  const stage = await startStage();
  expect(stage.slack.messageRateOf(OPS)).toMatchObject({ written: 0, maxPerSecond: 0 });
  const { ts = '' } = await say(stage);
  stage.wait(1000);
  await stage.client.chat.update({ channel: OPS, ts, text: 'y' });
  expect(stage.slack.messageRateOf(OPS)).toMatchObject({ written: 2, maxPerSecond: 1 });
  stage.wait(999);
  await say(stage);
  expect(stage.slack.messageRateOf(OPS)).toMatchObject({ written: 3, maxPerSecond: 2 });
});

it('does not count ephemeral messages and refused calls', async () => {
  const stage = await startStage();
  await stage.client.chat.postEphemeral({ channel: OPS, user: ANA, text: 'x' });
  stage.slack.failNext('chat.postMessage', 'invalid_blocks');
  await expect(say(stage)).rejects.toThrow('invalid_blocks');
  expect(stage.slack.messageRateOf(OPS)).toMatchObject({ written: 0 });
});

it('responds 429 with the given Retry-After, and other statuses without a body', async () => {
  const stage = await startStage();
  const client = new WebClient(stage.workspace.app.botToken, {
    slackApiUrl: stage.slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  stage.slack.failNext('auth.test', { retryAfterSeconds: 17 });
  const limited = await client.auth.test().catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(WebAPIRateLimitedError);
  expect(limited).toMatchObject({ retryAfter: 17 });
  stage.slack.failNext('auth.test', { status: 503 });
  await expect(client.auth.test()).rejects.toBeInstanceOf(WebAPIHTTPError);
});

it('can drop the answer to a call that took effect', async () => {
  const stage = await startStage();
  stage.slack.failNext('chat.postMessage', { isAnswerLost: true });
  await expect(say(stage)).rejects.toThrow();
  expect(stage.slack.messageRateOf(OPS)).toMatchObject({ written: 1 });
});
