import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { createLogger } from '../../../src/logger.ts';
import { clientOptions, type SlackCall } from '../../../src/slack/api/slack-client.ts';
import { serve } from '../../support/serve.ts';

const megabyte = Buffer.alloc(1024 * 1024, ' ');
const hugeMegabytes = 200;

/** A Slack whose answers `respond` writes. Resolves to the calls as they are reported, and to `call`. */
async function startSlack(respond: (response: ServerResponse) => void) {
  const baseUrl = await serve((_, response) => respond(response));
  const reported: SlackCall[] = [];
  const options = clientOptions(
    {
      log: createLogger('silent'),
      apiUrl: `${baseUrl}/`,
      onCall: (call) => reported.push(call),
    },
    10_000,
  );
  const web = new WebClient('xoxb-1', options);
  return { reported, call: () => web.auth.test() };
}

/** `{"ok":true}`, then white space, and how much of it was sent before the connection was closed. */
function* hugeAnswer(sent: { megabytes: number }) {
  yield Buffer.from('{"ok":true}');
  for (; sent.megabytes < hugeMegabytes; sent.megabytes += 1) yield megabyte;
}

it.each<[string, Record<string, string>]>([
  ['of unknown length', {}],
  ['with its length', { 'content-length': String(hugeMegabytes * megabyte.length + 11) }],
])('stops to read a huge answer %s', async (_, headers) => {
  const sent = { megabytes: 0 };
  const { call, reported } = await startSlack((response) => {
    response.writeHead(200, headers);
    pipeline(hugeAnswer(sent), response).catch(() => undefined);
  });
  await expect(call()).rejects.toThrow("Slack's answer is larger than 10 MB");
  expect(reported).toEqual([expect.objectContaining({ outcome: 'unreachable' })]);
  expect(sent.megabytes).toBeLessThan(hugeMegabytes);
});

it('stops to read a small answer that decompresses to a huge one', async () => {
  const { call } = await startSlack((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    pipeline(hugeAnswer({ megabytes: 0 }), createGzip(), response).catch(() => undefined);
  });
  await expect(call()).rejects.toThrow("Slack's answer is larger than 10 MB");
});

it('never decompresses an answer that is itself a compressed file', async () => {
  const file = gzipSync(Buffer.alloc(100 * megabyte.length));
  const { call } = await startSlack((response) => {
    response.writeHead(200, { 'content-type': 'application/gzip' }).end(file);
  });
  // The text of the answer, not the failure to parse its content.
  await expect(call()).rejects.toMatchObject({ data: { error: expect.any(String) } });
});

it('reads an answer of nearly 10 MB', async () => {
  const { call, reported } = await startSlack((response) => {
    response.end(`{"ok":true,"url":"${'x'.repeat(9 * megabyte.length)}"}`);
  });
  expect((await call()).url).toHaveLength(9 * megabyte.length);
  expect(reported).toEqual([expect.objectContaining({ outcome: 'ok' })]);
});
