import { addDays } from 'date-fns/addDays';
import { describe, expect, it } from 'vitest';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

describe.each(['documented', 'live'] as const)(
  'the stored alerts of a watch, on the %s dialect',
  (dialect) => {
    /** Posts an open and a cleared alert, advances the clock by `days`, and prunes. */
    async function waitFor(days: number) {
      const given = await openWatching(dialect);
      const { service, portal, db, queued, now } = given;
      const watch = await given.setUp(await given.connect());
      const poller = given.startPoller();
      const poll = async () => {
        given.waitForNextPoll();
        await poller.poll.finish();
      };
      const cleared = { status: 'cleared', cleared_timestamp: now().toISOString() };
      service.putAlert(portal.id, serviceAlert('open', seconds(1)));
      service.putAlert(portal.id, serviceAlert('over', seconds(2), cleared));
      await poll();
      queued.length = 0;
      given.tick(addDays(now(), days).getTime() - now().getTime());
      await poller.prune();
      const put = (id: string, changes: Partial<ReturnType<typeof serviceAlert>>) =>
        service.putAlert(
          portal.id,
          serviceAlert(id, now(), { raised_timestamp: seconds(1).toISOString(), ...changes }),
        );
      const rows = () =>
        db
          .selectFrom('watched_alert')
          .select('alert_key')
          .where('watch_id', '=', watch.id)
          .execute();
      return {
        poll,
        put,
        cleared,
        stored: async () => (await rows()).map((row) => row.alert_key),
        posted: () => queued.map(({ subject }) => subject.split(':').at(-1)),
      };
    }

    it('are pruned 90 days after they were cleared, and 400 days after they were last read', async () => {
      expect(await (await waitFor(89)).stored()).toContain('over');
      const cleared = await (await waitFor(91)).stored();
      expect(cleared).toContain('open');
      expect(cleared).not.toContain('over');
      expect(await (await waitFor(399)).stored()).toContain('open');
      expect(await (await waitFor(401)).stored()).toEqual([]);
    });

    it('are not needed to recognize a pruned alert as old; it is posted only if it recurs', async () => {
      const { put, poll, posted, cleared } = await waitFor(401);
      put('open', { notes: 'Still there?' });
      put('over', { notes: 'Was nothing.', ...cleared });
      await poll();
      expect(posted()).toEqual([]);
      put('open', { notes: 'Still there?', raised_count: 2 });
      await poll();
      expect(posted()).toEqual(['open']);
    });

    it('are not needed to recognize a pruned, cleared alert with a new note as old', async () => {
      const { put, poll, posted, cleared } = await waitFor(91);
      put('over', { notes: 'Was nothing.', ...cleared });
      await poll();
      expect(posted()).toEqual([]);
    });
  },
);
