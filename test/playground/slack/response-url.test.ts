import { expect, test } from 'vitest';
import { actions, button } from './sample-blocks.ts';
import { ANA, BEN, OPS, type Stage, seen, startStage } from './stage.ts';

const answer = async (url: string, body: unknown) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status;
};

const pressed = async (stage: Stage): Promise<string> => {
  const [message] = seen(stage, ANA);
  const container = {
    kind: 'message' as const,
    channelId: OPS,
    messageTs: message?.messageTs ?? '',
  };
  await stage.slack.perform(ANA, { type: 'act', container, blockId: 'b', actionId: 'a' });
  return String(stage.app.deliveries.at(-1)?.payload.response_url);
};

test('accepts five answers, private by default, and no sixth', async () => {
  const stage = await startStage();
  const { response_url: url } = await stage.command(ANA);
  expect(await answer(url, { text: 'private' })).toBe(200);
  expect(await answer(url, { text: 'public', response_type: 'in_channel' })).toBe(200);
  for (const text of ['3', '4', '5']) expect(await answer(url, { text })).toBe(200);
  expect(await answer(url, { text: '6' })).toBe(404);
  expect(seen(stage, ANA).map((one) => one.text)).toEqual(['private', 'public', '3', '4', '5']);
  expect(seen(stage, BEN).map((one) => one.text)).toEqual(['public']);
});

test('expires after half an hour', async () => {
  const stage = await startStage();
  const { response_url: url } = await stage.command(ANA);
  stage.wait(30 * 60 * 1000);
  expect(await answer(url, { text: 'in time' })).toBe(200);
  stage.wait(1);
  expect(await answer(url, { text: 'late' })).toBe(404);
});

test('replaces and deletes the message with the button, for everyone', async () => {
  const stage = await startStage();
  const blocks = [actions('b', button('a'))];
  await stage.client.chat.postMessage({ channel: OPS, text: 'Decide', blocks });
  const url = await pressed(stage);
  await answer(url, { text: 'Decided', replace_original: true });
  expect(seen(stage, BEN)).toMatchObject([{ text: 'Decided', isEdited: true }]);
  await answer(url, { delete_original: true });
  expect(seen(stage, BEN)).toEqual([]);
});

test("replaces an ephemeral message, which chat.update can't", async () => {
  const stage = await startStage();
  const blocks = [actions('b', button('a'))];
  await stage.client.chat.postEphemeral({ channel: OPS, user: ANA, text: 'Page 1', blocks });
  const ts = seen(stage, ANA)[0]?.messageTs ?? '';
  await expect(
    stage.client.chat.update({ channel: OPS, ts, text: 'Page 2' }),
  ).rejects.toMatchObject({ data: { error: 'message_not_found' } });
  await answer(await pressed(stage), { text: 'Page 2', replace_original: true });
  expect(seen(stage, ANA)).toMatchObject([{ text: 'Page 2', isEphemeral: true }]);
  expect(seen(stage, BEN)).toEqual([]);
});

test('refuses content that Slack would not accept', async () => {
  const stage = await startStage();
  const { response_url: url } = await stage.command(ANA);
  expect(await answer(url, { text: '' })).toBe(400);
  expect(await answer(url, { text: 'x', blocks: [{ type: 'nope' }] })).toBe(400);
  expect(await answer(url, 'no object')).toBe(400);
  expect(await answer(`${stage.slack.url}/response/guessed`, { text: 'x' })).toBe(404);
  expect(seen(stage, ANA)).toEqual([]);
});
