import { expect, it } from 'vitest';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

it('a watch that cannot be read keeps no other from posting, on its connection and elsewhere', async () => {
  const given = await openWatching('live');
  const broken = await given.connect();
  const { id } = await given.setUp(broken, 'all', 'C_BROKEN');
  await given.setUp(broken, 'all', 'C_BESIDE');
  await given.setUp(await given.connect(), 'all', 'C_OTHER');
  await given.db
    .updateTable('watch')
    .set({ search: JSON.stringify('canary') })
    .where('id', '=', id)
    .execute();
  given.service.putAlert(given.portal.id, serviceAlert('a1', seconds(1)));
  given.waitForNextPoll();
  await given.startPoller().poll.finish();
  expect(given.queued.map(({ to }) => to.channelId).toSorted()).toEqual(['C_BESIDE', 'C_OTHER']);
});
