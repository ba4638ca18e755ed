import { expect, it } from 'vitest';
import { digestListMessage } from '../../../src/features/digests/views/digest-list-message.ts';
import { fridayNine, startDigests, teamId } from './start-digests.ts';

it('creates a digest in direct messages with Belay', async () => {
  const { ana } = await startDigests();
  await ana.send('Belay', '/belay digest new');
  await ana.submit(await ana.seeDialog('Time zone'), { parts: { input: ['approvals'] } });
  await ana.submit(await ana.seeDialog('This is how it would look now.'), {});
  await ana.seeMessage('Saved: ');
});

it('refuses a digest in direct messages of two people', async () => {
  const { ana, post, store } = await startDigests();
  const channelId = 'D0ANABEN01';
  await ana.press(
    await post(
      digestListMessage(channelId, [], { now: fridayNine, mayChange: () => true, resumed: 0 }),
    ),
    'New digest…',
  );
  await ana.submit(await ana.seeDialog('Time zone'), {});
  await ana.seeDialog('in your own direct messages with it, but not here. Nothing was saved.');
  expect(await store.list({ teamId, channelId })).toEqual([]);
});
