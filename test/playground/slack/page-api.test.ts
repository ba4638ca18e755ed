import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { paths, type SnapshotUpdate } from '../../../playground/slack/protocol.ts';
import { modal } from './sample-blocks.ts';
import { ANA, OPS, type Stage, seen, startStage } from './stage.ts';

const gestureBody = JSON.stringify({ type: 'send', channelId: OPS, text: 'Hello' });

const post = (url: string, headers: Record<string, string>, body = gestureBody): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const json = { 'content-type': 'application/json' };

test('a gesture over HTTP is performed', async () => {
  const stage = await startStage();
  const url = `${stage.slack.url}${paths.gestures}?as=${ANA}`;
  expect(await post(url, { ...json, origin: stage.slack.url })).toBe(200);
  expect(seen(stage, ANA)).toMatchObject([{ text: 'Hello', authorId: ANA }]);
  expect(await post(url, json, '{"type":"chat.postMessage"}')).toBe(400);
  expect(await post(url, json, 'no JSON')).toBe(400);
  expect(await post(url.replace(ANA, 'U0NOBODY'), json)).toBe(404);
});

test('websites of other origins can’t send gestures', async () => {
  const stage = await startStage();
  const url = `${stage.slack.url}${paths.gestures}?as=${ANA}`;
  expect(await post(url, { ...json, origin: 'https://evil.example' })).toBe(403);
  expect(await post(url, { ...json, origin: 'null' })).toBe(403);
  expect(await post(url, { ...json, host: 'evil.example' })).toBe(403);
  expect(await post(url, { 'content-type': 'text/plain' })).toBe(415);
  expect(seen(stage, ANA)).toEqual([]);
});

/** Opens the event stream of Ana's tab. Returns a function that reads the next update. */
async function openStream({ slack }: Stage, tabId: string): Promise<() => Promise<SnapshotUpdate>> {
  const response = await fetch(`${slack.url}${paths.snapshots}?as=${ANA}&tab=${tabId}`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader?.cancel());
  return async () => JSON.parse(String((await reader?.read())?.value).replace(/^data: /, ''));
}

test('changes are streamed without the messages that did not change', async () => {
  const stage = await startStage();
  const next = await openStream(stage, 'tab');
  expect(await next()).toMatchObject({
    messages: [],
    conversations: [{ messageTs: [] }, {}, {}, {}],
  });

  const { ts: first = '' } = await stage.client.chat.postMessage({ channel: OPS, text: 'First' });
  expect((await next()).messages).toMatchObject([{ text: 'First' }]);
  const { ts: second = '' } = await stage.client.chat.postMessage({ channel: OPS, text: 'Second' });
  const update = await next();
  expect(update.messages).toMatchObject([{ text: 'Second' }]);
  expect(update.conversations[0]?.messageTs).toEqual([first, second]);

  await stage.client.chat.update({ channel: OPS, ts: first, text: 'Changed' });
  expect((await next()).messages).toMatchObject([{ messageTs: first, text: 'Changed' }]);
  await stage.client.chat.delete({ channel: OPS, ts: second });
  expect(await next()).toMatchObject({
    messages: [],
    conversations: [{ messageTs: [first] }, {}, {}, {}],
  });
});

test('a modal opens only in the tab that asked for it', async () => {
  const stage = await startStage();
  const gesture = { type: 'send', channelId: OPS, text: '/belay' } as const;
  await stage.slack.perform(ANA, gesture, 'asking');
  const trigger_id = String(stage.app.deliveries.at(-1)?.payload.trigger_id);
  const { view } = await stage.client.views.open({ trigger_id, view: modal([]) });

  expect((await (await openStream(stage, 'asking'))()).views).toMatchObject([{ viewId: view?.id }]);
  expect((await (await openStream(stage, 'other'))()).views).toEqual([]);
  const close = { type: 'close', viewId: view?.id ?? '' } as const;
  expect(await stage.slack.perform(ANA, close, 'other')).toMatchObject({ result: 'refused' });
  expect(await stage.slack.perform(ANA, close, 'asking')).toEqual({ result: 'ok' });
});

test('it listens on loopback only', async () => {
  const stage = await startStage();
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal);
  const { port, hostname } = new URL(stage.slack.url);
  expect(hostname).toBe('127.0.0.1');
  if (!outside) return;
  await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow();
});
