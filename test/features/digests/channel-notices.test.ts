import { expect, it } from 'vitest';
import type { FormValues } from '../../../playground/slack/protocol.ts';
import { opsChannelId } from '../../slack/listeners/listening.ts';
import { messagesOf } from '../../support/ask.ts';
import { startDigests, teamId } from './start-digests.ts';

type Stage = Awaited<ReturnType<typeof startDigests>>;

/** The notices posted in the channel, as another member sees them. */
async function notices({ run, ben }: Stage): Promise<string[]> {
  await run();
  return messagesOf(ben)
    .filter(({ text }) => /^<@\w+> (set up|changed|ended) a digest here/.test(text))
    .map(({ text }) => text);
}

async function save(person: Stage['ana'], values: FormValues, dialog = 'Time zone') {
  await person.submit(await person.seeDialog(dialog), values);
  await person.submit(await person.seeDialog('This is how it would look now.'), {});
}

it('posts who created a digest', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  await ana.send('ops', '/belay digest new');
  await save(ana, { 'time-zone': { input: 'Europe/Berlin' }, time: { input: '10:15' } });
  await ana.seeMessage('Saved: ');
  expect(await notices(stage)).toEqual([
    '<@U0ANA00001> set up a digest here: Monday to Friday at 10:15 (Europe/Berlin).',
  ]);
  expect(JSON.stringify(messagesOf(stage.ben))).toContain(
    '`/belay digest` shows, changes and ends the digests here.',
  );
});

it('posts who changed a digest, but nothing for a form that changes nothing', async () => {
  const stage = await startDigests();
  const { ben } = stage;
  await stage.addDigest({ parts: ['approvals', 'new'], time: '11:00' });
  await ben.send('ops', '/belay digest');
  const list = await ben.seeMessage('One digest here');
  await ben.press(list, 'Edit…');
  await save(ben, {}, 'Edit a digest');
  await ben.seeMessage('Nothing was changed: Every day at 11:00 (Europe/Berlin).');
  expect(await notices(stage)).toEqual([]);
  const [untouched] = await stage.store.list({ teamId, channelId: opsChannelId });
  expect(untouched?.changedBy).toBeUndefined();

  await ben.press(list, 'Edit…');
  await save(ben, { parts: { input: ['approvals'] } }, 'Edit a digest');
  await ben.seeMessage('Saved: ');
  expect(await notices(stage)).toEqual([
    '<@U0BEN00002> changed a digest here: every day at 11:00 (Europe/Berlin). Left out: new alerts.',
  ]);
});

it('posts who ended a digest', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  await stage.addDigest({ time: '11:00' });
  await ana.send('ops', '/belay digest');
  await ana.press(await ana.seeMessage('One digest here'), 'End');
  await ana.seeMessage('The digest has ended: ');
  expect(await notices(stage)).toEqual([
    '<@U0ANA00001> ended a digest here: every day at 11:00 (Europe/Berlin).',
  ]);
});

it('posts no notice in direct messages', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  await ana.send('Belay', '/belay digest new');
  await save(ana, { parts: { input: ['approvals'] } });
  await ana.seeMessage('Saved: ');
  await ana.send('Belay', '/belay digest');
  await ana.press(await ana.seeMessage('One digest here'), 'End');
  await ana.seeMessage('The digest has ended: ');
  await stage.run();
  expect(stage.texts().filter((text) => text.includes('a digest here'))).toEqual([]);
});
