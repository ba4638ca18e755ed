import { expect, it } from 'vitest';
import { digestListMessage } from '../../../src/features/digests/views/digest-list-message.ts';
import { findAmong } from '../../../src/workspace/choose-connection.ts';
import { fridayNine, startDigests, teamId } from './start-digests.ts';

it('creates a digest in direct messages with Belay', async () => {
  const { ana } = await startDigests();
  await ana.send('Belay', '/belay digest new');
  await ana.submit(await ana.seeDialog('Time zone'), { parts: { input: ['approvals'] } });
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  await ana.seeMessage('Digest saved: ');
});

it('refuses a digest in direct messages of two people', async () => {
  const { ana, post, store } = await startDigests();
  const channelId = 'D0ANABEN01';
  await ana.press(
    await post(
      digestListMessage(channelId, [], {
        now: fridayNine,
        findConnection: findAmong([]),
        mayChange: () => true,
        resumed: 0,
      }),
    ),
    'New digest',
  );
  await ana.submit(await ana.seeDialog('Time zone'), {});
  await ana.seeDialog("can't post digests in this conversation. Nothing was saved.");
  expect(await store.list({ teamId, channelId })).toEqual([]);
});
