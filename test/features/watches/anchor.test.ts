import { describe, expect, it } from 'vitest';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { readAnchor } from '../../../src/features/watches/read-anchor.ts';
import { alertWatches } from '../../../src/features/watches/store/watch-kinds.ts';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

describe.each(['documented', 'live'] as const)(
  'alerts from before a watch, on the %s dialect',
  (dialect) => {
    async function open() {
      const given = await openWatching(dialect);
      const teamId = await given.connect();
      const poller = given.startPoller();
      return {
        ...given,
        teamId,
        async resume(channelId: string) {
          const opened = await given.openService(teamId);
          if (!opened) throw new Error('not connected');
          const { client, connectionId, originId } = opened;
          const at = given.now();
          const anchor = await readAnchor(client, at, AbortSignal.timeout(5000));
          await given.store.resume({ teamId, channelId, connectionId, originId, anchor, at });
        },
        setUp: (filter: string, channelId: string) => given.setUp(teamId, filter, channelId),
        put: (...[id, at, changes]: Parameters<typeof serviceAlert>) =>
          given.service.putAlert(given.portal.id, serviceAlert(id, at, changes)),
        poll: async () => {
          given.waitForNextPoll();
          await poller.poll.finish();
        },
        posted: () => given.queued.map(({ to, subject }) => `${to.channelId} ${idIn(subject)}`),
      };
    }

    const raisedBefore = { raised_timestamp: seconds(-86_400).toISOString() };

    it.each([
      ['recurred', { ...raisedBefore, raised_count: 3 }, undefined],
      ['are not counted', raisedBefore, 'raised_count'],
      ['do not say when they were raised', {}, 'raised_timestamp'],
    ] as const)(
      'a new watch does not post alerts that %s, though the mark of another watch lags',
      async (_, changes, missing) => {
        const { setUp, service, portal, put, poll, posted } = await open();
        await setUp('all', 'C1');
        for (let index = 0; index < 30; index += 1) {
          const alert = serviceAlert(`old${index}`, seconds(index), changes);
          if (missing) delete alert[missing];
          service.putAlert(portal.id, alert);
        }
        put('newest', seconds(40));
        await setUp('all', 'C2');
        put('after', seconds(50));
        await poll();
        expect(posted().filter((one) => one.startsWith('C2'))).toEqual(['C2 after']);
        expect(posted().filter((one) => one.startsWith('C1'))).toHaveLength(32);
      },
    );

    it('a new watch posts an old alert when it recurs', async () => {
      const { setUp, put, poll, posted } = await open();
      await setUp('all', 'C1');
      put('old', seconds(1), { ...raisedBefore, raised_count: 2 });
      put('noted', seconds(2), { ...raisedBefore, raised_count: 2 });
      put('newest', seconds(40));
      await setUp('all', 'C2');
      await poll();
      put('old', seconds(60), { ...raisedBefore, raised_count: 3 });
      put('noted', seconds(61), { ...raisedBefore, raised_count: 2, notes: 'Ben is on it' });
      await poll();
      expect(posted().filter((one) => one.startsWith('C2'))).toEqual(['C2 old']);
    });

    it('a resumed watch does not post a known alert, even if another watch is behind', async () => {
      const { setUp, put, poll, posted, resume, db, teamId, now } = await open();
      await setUp('all', 'C1');
      put('old', seconds(1), raisedBefore);
      await setUp('all', 'C2');
      const pause = { at: now(), reason: 'gone' };
      await db
        .transaction()
        .execute((trx) => alertWatches.pause(trx, { teamId, channelId: 'C2' }, pause));
      put('old', seconds(10), { ...raisedBefore, raised_count: 2 });
      put('newest', seconds(40));
      await resume('C2');
      put('after', seconds(50));
      await poll();
      expect(posted().filter((one) => one.startsWith('C2'))).toEqual(['C2 after']);
    });

    it('a wider filter does not post old alerts unless they recur', async () => {
      const { setUp, put, poll, posted, store, now, queued } = await open();
      const watch = await setUp('severity:error', 'C1');
      const warning = { severity: 'warning' };
      for (const id of ['cleared', 'noted', 'again']) put(id, seconds(1), warning);
      await poll();
      put('shown', seconds(40));
      await poll();
      expect(posted()).toEqual(['C1 shown']);

      put('between', seconds(50), warning);
      const change = { search: defaultSearch, by: 'U_ANA', at: now() };
      await store.change({ ...watch, ...change });
      expect(await store.find(watch)).toMatchObject({
        anchor: seconds(40),
        highWater: seconds(40),
        highWaterAlertId: 'shown',
      });
      queued.length = 0;
      const raised = { raised_timestamp: seconds(1).toISOString() };
      const cleared = { status: 'cleared', cleared_timestamp: seconds(60).toISOString() };
      put('cleared', seconds(60), { ...warning, ...raised, ...cleared });
      put('noted', seconds(61), { ...warning, ...raised, notes: 'Ben is on it' });
      put('again', seconds(62), { ...warning, ...raised, raised_count: 2 });
      put('new', seconds(63), warning);
      await poll();
      expect(posted()).toEqual(['C1 between', 'C1 again', 'C1 new']);
    });

    it('changing only the quiet hours changes nothing about which alerts are posted', async () => {
      const { setUp, put, poll, posted, store, now, queued } = await open();
      const watch = await setUp('severity:error', 'C1');
      put('worse', seconds(1), { severity: 'warning' });
      put('shown', seconds(40));
      await poll();
      const quietHours = { from: '01:00', to: '02:00', timeZone: 'Etc/UTC' };
      await store.change({ ...watch, quietHours, by: 'U_ANA', at: now() });
      queued.length = 0;
      put('worse', seconds(60), { raised_timestamp: seconds(1).toISOString() });
      await poll();
      expect(posted()).toEqual(['C1 worse']);
    });

    it('changing the filter of a watch without alerts does not change its anchor', async () => {
      const { setUp, put, poll, posted, store, now, queued } = await open();
      const watch = await setUp('severity:error', 'C1');
      const { anchor } = watch;
      await store.change({ ...watch, search: defaultSearch, by: 'U_ANA', at: now() });
      expect(await store.find(watch)).toMatchObject({ anchor });
      queued.length = 0;
      put('new', seconds(1), { severity: 'warning' });
      await poll();
      expect(posted()).toEqual(['C1 new']);
    });
  },
);

function idIn(subject: string): string {
  return subject.split(':').at(-1) ?? '';
}
