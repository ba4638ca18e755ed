import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { describe, expect, it } from 'vitest';
import { serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

describe.each(['documented', 'live'] as const)(
  'an alert with an update time in the future, on the %s dialect',
  (dialect) => {
    async function watchTomorrow() {
      const given = await openWatching(dialect);
      const teamId = await given.connect();
      const poller = given.startPoller();
      return {
        ...given,
        setUp: () => given.setUp(teamId),
        put: (...[id, at, changes]: Parameters<typeof serviceAlert>) =>
          given.service.putAlert(given.portal.id, serviceAlert(id, at, changes)),
        poll: async () => {
          given.waitForNextPoll();
          await poller.poll.finish();
        },
        posted: () => given.queued.map(({ subject }) => subject.split(':').at(-1)),
      };
    }

    it('does not hide alerts raised before that time', async () => {
      const { setUp, put, poll, posted, now } = await watchTomorrow();
      await setUp();
      put('ahead', addDays(now(), 1));
      await poll();
      put('today', now());
      await poll();
      await poll();
      expect(posted()).toEqual(['ahead', 'today']);
    });

    it('is not posted by a watch that was created later, and does not hide later alerts', async () => {
      const { setUp, put, poll, posted, now } = await watchTomorrow();
      put('ahead', addDays(now(), 1));
      put('before', addMinutes(now(), -1));
      await setUp();
      put('today', now());
      await poll();
      await poll();
      expect(posted()).toEqual(['today']);
    });

    it("is still updated after the service's clock was corrected", async () => {
      const { setUp, put, poll, posted, queued, now } = await watchTomorrow();
      await setUp();
      put('ahead', addHours(now(), 1));
      await poll();
      const clearedAt = addMinutes(now(), 1);
      const cleared_timestamp = clearedAt.toISOString();
      put('ahead', clearedAt, { status: 'cleared', cleared_timestamp });
      await poll();
      await poll();
      expect(posted()).toEqual(['ahead', 'ahead']);
      expect(queued.at(-1)?.threadReply?.text).toContain('Cleared ');
    });

    it('is still updated if the corrected time is read after that time', async () => {
      const { setUp, put, poll, posted, now, tick } = await watchTomorrow();
      await setUp();
      put('ahead', addHours(now(), 1));
      await poll();
      const clearedAt = addMinutes(now(), 1);
      tick(2 * 60 * 60_000);
      put('ahead', clearedAt, { status: 'cleared', cleared_timestamp: clearedAt.toISOString() });
      await poll();
      await poll();
      expect(posted()).toEqual(['ahead', 'ahead']);
    });
  },
);
