import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { paths, type Snapshot } from '../../../playground/slack/protocol.ts';
import { ANA, OPS, seen, startStage } from './stage.ts';

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

test('snapshots are streamed: one immediately, then one after each change', async () => {
  const stage = await startStage();
  const response = await fetch(`${stage.slack.url}${paths.snapshots}?as=${ANA}`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<Snapshot> =>
    JSON.parse(String((await reader?.read())?.value).replace(/^data: /, ''));
  expect((await next()).conversations[0]?.messages).toEqual([]);
  await stage.client.chat.postMessage({ channel: OPS, text: 'Hello' });
  expect((await next()).conversations[0]?.messages).toMatchObject([{ text: 'Hello' }]);
  await reader?.cancel();
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
