import { expect, test } from 'vitest';
import { actions, button, plain } from './sample-blocks.ts';
import { ANA, BEN, OPS, SAM, seen, startStage } from './stage.ts';

test('an ephemeral message is seen by one person, who can dismiss it', async () => {
  const stage = await startStage();
  await stage.client.chat.postEphemeral({ channel: OPS, user: ANA, text: 'For Ana' });
  const [message] = seen(stage, ANA);
  expect(message).toMatchObject({ text: 'For Ana', isEphemeral: true });
  expect(seen(stage, BEN)).toEqual([]);

  const dismiss = { type: 'dismiss' as const, channelId: OPS, messageTs: message?.messageTs ?? '' };
  expect(await stage.slack.perform(BEN, dismiss)).toMatchObject({ result: 'refused' });
  await stage.slack.perform(ANA, dismiss);
  expect(seen(stage, ANA)).toEqual([]);
});

test('blocks and elements without ids get ids', async () => {
  const stage = await startStage();
  const { action_id: _, ...bare } = button('');
  const posted = await stage.client.chat.postMessage({
    channel: OPS,
    text: 'Pick',
    blocks: [{ type: 'actions', elements: [bare] }],
  });
  const [block] = seen(stage, ANA)[0]?.blocks ?? [];
  expect(block).toMatchObject({
    block_id: expect.stringMatching(/./),
    elements: [{ action_id: expect.stringMatching(/./) }],
  });
  expect(posted.message?.blocks?.[0]?.block_id).toBe(block?.block_id);
});

test.each([
  ['a & b < c > d', 'a &amp; b &lt; c &gt; d'],
  ['a &amp; b', 'a &amp; b'],
  ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
  [`<@${ANA}> <!here> <https://a.example|a>`, `<@${ANA}> <!here> <https://a.example|a>`],
])('text %j is stored as %j', async (given, stored) => {
  const stage = await startStage();
  await stage.client.chat.postMessage({ channel: OPS, text: given });
  expect(seen(stage, BEN)[0]?.text).toBe(stored);
});

test('an update replaces text and blocks and marks the message as edited', async () => {
  const stage = await startStage();
  const { ts = '' } = await stage.client.chat.postMessage({
    channel: OPS,
    text: 'Decide',
    blocks: [actions('decision', button('approve'))],
  });
  await stage.client.chat.update({ channel: OPS, ts, text: 'Decided' });
  const [message] = seen(stage, BEN);
  expect(message).toMatchObject({ text: 'Decided', isEdited: true, messageTs: ts });
  expect(message?.blocks).toBeUndefined();
  await stage.client.chat.delete({ channel: OPS, ts });
  expect(seen(stage, BEN)).toEqual([]);
});

test('a direct message is visible to one person, and each person has that conversation', async () => {
  const stage = await startStage();
  const { channel } = await stage.client.conversations.open({ users: BEN });
  await stage.client.chat.postMessage({ channel: channel?.id ?? '', text: 'Only Ben' });
  await stage.client.chat.postMessage({ channel: BEN, text: 'By his id' });
  const direct = (id: string) =>
    stage.slack.snapshot(id).conversations.find((one) => one.kind === 'direct');
  expect(direct(BEN)?.messages.map((one) => one.text)).toEqual(['Only Ben', 'By his id']);
  expect(direct(ANA)).toMatchObject({ name: 'Belay', messages: [] });
});

test('typed text is escaped, and is unread for others', async () => {
  const stage = await startStage();
  await stage.slack.perform(SAM, { type: 'send', channelId: OPS, text: '1 < 2' });
  expect(seen(stage, ANA)[0]).toMatchObject({ text: '1 &lt; 2', isApp: false });
  const unread = (id: string) => stage.slack.snapshot(id).conversations[0]?.unreadCount;
  expect(unread(ANA)).toBe(1);
  expect(unread(SAM)).toBe(0);
});

test('the badge counts mentions in a channel and all unread direct messages', async () => {
  const stage = await startStage();
  const badges = () => {
    const { conversations } = stage.slack.snapshot(ANA);
    const [ops, direct] = [conversations[0], conversations.at(-1)];
    return [ops, direct].map((one) => [one?.unreadCount, one?.badgeCount]);
  };
  const post = (channel: string, text: string) => stage.client.chat.postMessage({ channel, text });
  await post(OPS, `Nothing for <@${BEN}>`);
  await post(ANA, 'Hello');
  expect(badges()).toEqual([
    [1, 0],
    [1, 1],
  ]);
  await post(OPS, `For <@${ANA}>`);
  await post(OPS, '<!here> Look');
  await stage.client.chat.postEphemeral({ channel: OPS, user: ANA, text: `<@${ANA}>` });
  expect(badges()).toEqual([
    [4, 2],
    [1, 1],
  ]);

  await stage.slack.perform(ANA, { type: 'read', channelId: OPS });
  expect(badges()).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

const longBlocks = Array.from({ length: 5 }, () => ({
  type: 'section',
  text: { type: 'mrkdwn', text: 'x'.repeat(2500) },
}));

test.each([
  ['channel_not_found', { channel: 'C0NOWHERE', text: 'x' }],
  ['not_in_channel', { channel: 'C0RANDOM03', text: 'x' }],
  ['no_text', { channel: OPS, text: ' ' }],
  ['msg_too_long', { channel: OPS, text: 'x'.repeat(40_001) }],
  ['msg_blocks_too_long', { channel: OPS, text: 'x', blocks: longBlocks }],
  ['invalid_blocks', { channel: OPS, text: 'x', blocks: [{ type: 'nope' }] }],
])('posting is refused with %s', async (error, message) => {
  const stage = await startStage((workspace) => {
    const random = workspace.channels.find((one) => one.name === 'random');
    if (random) random.appIsMember = false;
  });
  await expect(stage.client.apiCall('chat.postMessage', message)).rejects.toMatchObject({
    data: { ok: false, error },
  });
});

test('an app may change its own messages only', async () => {
  const stage = await startStage();
  await stage.slack.perform(ANA, { type: 'send', channelId: OPS, text: 'Mine' });
  const ts = seen(stage, ANA)[0]?.messageTs ?? '';
  const update = (at: string) =>
    stage.client.chat.update({ channel: OPS, ts: at, text: 'Yours', blocks: [] });
  await expect(update(ts)).rejects.toMatchObject({ data: { error: 'cant_update_message' } });
  await expect(update('1.000000')).rejects.toMatchObject({ data: { error: 'message_not_found' } });
});

test('invalid blocks are refused with a JSON pointer', async () => {
  const stage = await startStage();
  const blocks = [{ type: 'header' as const, text: plain('x'.repeat(151)) }];
  await expect(
    stage.client.chat.postMessage({ channel: OPS, text: 'x', blocks }),
  ).rejects.toMatchObject({
    data: {
      error: 'invalid_blocks',
      response_metadata: {
        messages: [expect.stringContaining('[json-pointer:/blocks/0/text/text]')],
      },
    },
  });
});

test('an update with blocks does not mark the message as edited, and requires the id of the conversation', async () => {
  const stage = await startStage();
  const { ts = '', channel = '' } = await stage.client.chat.postMessage({
    channel: BEN,
    text: 'Decide',
  });
  const blocks = [{ type: 'divider' as const }];
  await expect(
    stage.client.chat.update({ channel: BEN, ts, text: 'Decided', blocks }),
  ).rejects.toMatchObject({ data: { error: 'channel_not_found' } });
  await stage.client.chat.update({ channel, ts, text: 'Decided', blocks });
  const direct = stage.slack.snapshot(BEN).conversations.find((one) => one.kind === 'direct');
  expect(direct?.messages).toMatchObject([{ text: 'Decided', isEdited: false }]);
});
