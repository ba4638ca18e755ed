import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import {
  notifyPerson,
  postMessage,
  sendDirectMessage,
  updateMessage,
} from '../../../src/slack/api/post.ts';
import { replaceOriginal, respondPrivately } from '../../../src/slack/api/respond.ts';
import { createSlackClient, type SlackClient } from '../../../src/slack/api/slack-client.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { serve } from '../../support/serve.ts';

type Call = { path: string | undefined; said: Record<string, string> };

/** A Slack that accepts everything and records the arguments. */
async function startFakeSlack(): Promise<{ client: SlackClient; calls: Call[] }> {
  const calls: Call[] = [];
  const baseUrl = await serve(async (request, response) => {
    const said = Object.fromEntries(new URLSearchParams(await text(request)));
    calls.push({ path: request.url, said });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, ts: '1.2', channel: { id: 'D1' } }));
  });
  const options = { slackApiUrl: `${baseUrl}/` };
  return { client: createSlackClient({ token: 'xoxb-1', teamId: 'T1' }, options), calls };
}

const said = notice('See https://a.example, @here.');
const asWritten = { parse: 'none', link_names: 'false' };
const withoutPreview = { unfurl_links: 'false', unfurl_media: 'false' };

it.each<[string, (slack: SlackClient) => Promise<unknown>, string, Record<string, string>]>([
  [
    'a message',
    (slack) => postMessage(slack, 'C1', said),
    '/chat.postMessage',
    { ...asWritten, ...withoutPreview },
  ],
  [
    'a direct message',
    (slack) => sendDirectMessage(slack, 'U1', said),
    '/chat.postMessage',
    { ...asWritten, ...withoutPreview },
  ],
  [
    'an edit',
    (slack) => updateMessage(slack, { channelId: 'C1', messageTs: '1.2' }, said),
    '/chat.update',
    asWritten,
  ],
  [
    'a private message',
    (slack) => notifyPerson(slack, { slackUserId: 'U1', channelId: 'C1' }, said),
    '/chat.postEphemeral',
    asWritten,
  ],
])('%s is posted without automatic links and mentions', async (_, say, path, expected) => {
  const { client, calls } = await startFakeSlack();
  await say(client);
  const call = calls.find((one) => one.path === path);
  expect(call?.said).toMatchObject({ text: said.text, ...expected });
});

it.each([
  ['a private answer', respondPrivately, { response_type: 'ephemeral', replace_original: false }],
  ['a replacement of the message', replaceOriginal, { replace_original: true }],
])('%s is sent without automatic links and mentions', async (_, answer, how) => {
  const answers: unknown[] = [];
  await answer(async (given) => {
    answers.push(given);
    return new Response();
  }, said);
  expect(answers).toEqual([
    {
      ...said,
      ...how,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    },
  ]);
});
