import { expect, it } from 'vitest';
import type { FormValues } from '../../../playground/slack/protocol.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { messagesOf } from '../../support/ask.ts';
import { startDigests, teamId } from './start-digests.ts';

type Stage = Awaited<ReturnType<typeof startDigests>>;

/** The notices posted in the channel, as another member sees them. */
async function notices({ run, ben }: Stage): Promise<string[]> {
  await run();
  return messagesOf(ben)
    .filter(({ text }) => /^<@\w+> (added|changed|ended) a digest: /.test(text))
    .map(({ text }) => text.replace('\nManage digests with `/belay digest`', ''));
}

async function save(person: Stage['ana'], values: FormValues, dialog = 'Time zone') {
  await person.submit(await person.seeDialog(dialog), values);
  await person.submit(await person.seeDialog('This digest, if posted now'), {});
}

it('posts who created a digest', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  await ana.send('ops', '/belay digest new');
  await save(ana, { timeZone: { input: 'Europe/Berlin' }, time: { input: '10:15' } });
  await ana.seeMessage('Digest saved: ');
  expect(await notices(stage)).toEqual([
    '<@U0ANA00001> added a digest: weekdays at 10:15 AM (Europe/Berlin)',
  ]);
  expect(JSON.stringify(messagesOf(stage.ben))).toContain('Manage digests with `/belay digest`');
});

it('posts who changed a digest, but nothing for a form that changes nothing', async () => {
  const stage = await startDigests();
  const { ben } = stage;
  await stage.addDigest({ parts: ['approvals', 'new'], time: '11:00' });
  await ben.send('ops', '/belay digest');
  const list = await ben.seeMessage('1 digest in this channel');
  await ben.press(list, 'Edit');
  await save(ben, {}, 'Edit digest');
  await ben.seeMessage('Nothing was changed: every day at 11:00 AM (Europe/Berlin)');
  expect(await notices(stage)).toEqual([]);
  const [untouched] = await stage.store.list({ teamId, channelId: opsChannelId });
  expect(untouched?.changedBy).toBeUndefined();

  await ben.press(list, 'Edit');
  await save(ben, { parts: { input: ['approvals'] } }, 'Edit digest');
  await ben.seeMessage('Digest saved: ');
  expect(await notices(stage)).toEqual([
    '<@U0BEN00002> changed a digest: every day at 11:00 AM (Europe/Berlin) · Removed: New alerts',
  ]);
});

it('posts who ended a digest', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  await stage.addDigest({ time: '11:00' });
  await ana.send('ops', '/belay digest');
  await ana.press(await ana.seeMessage('1 digest in this channel'), 'End digest');
  await ana.seeMessage('Digest ended: ');
  expect(await notices(stage)).toEqual([
    '<@U0ANA00001> ended a digest: every day at 11:00 AM (Europe/Berlin)',
  ]);
});

it('posts no notice in direct messages', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  await ana.send('Belay', '/belay digest new');
  await save(ana, { parts: { input: ['approvals'] } });
  await ana.seeMessage('Digest saved: ');
  await ana.send('Belay', '/belay digest');
  await ana.press(await ana.seeMessage('1 digest in this conversation'), 'End digest');
  await ana.seeMessage('Digest ended: ');
  await stage.run();
  expect(stage.texts().filter((text) => text.includes('a digest: '))).toEqual([]);
});
