import { addMilliseconds } from 'date-fns/addMilliseconds';
import { subHours } from 'date-fns/subHours';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import {
  createHomeStore,
  type HomeClaim,
  type HomeStore,
  recordHomeChange,
  recordSettingsChange,
} from '../../../../src/postings/home/store/home-store.ts';
import { createPublishPace } from '../../../../src/postings/home/store/publish-pace.ts';
import { databases } from '../../../support/databases.ts';

const noon = new Date('2026-11-20T12:00:00Z');
const later = (ms: number) => addMilliseconds(noon, ms);
const limit = { windowMs: 60_000, maxPerWindow: 5, maxRefreshes: 3 };
const complete = { hash: 'h1', digest: 'd1', isComplete: true };

describe.each(databases())('Home tabs on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: HomeStore;
  let holders = 0;

  beforeAll(async () => {
    database = await open();
    store = createHomeStore(database.db, () => sql`true`);
  });
  beforeEach(async () => {
    for (const table of ['home_tab', 'home_team', 'home_change'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => database.close());

  const openHome = (slackUserId: string, at = noon, shownHash?: string, teamId = 'T1') =>
    store.open({ teamId, slackUserId, at, shownHash, directChannelId: undefined });

  const claim = async (at: Date): Promise<HomeClaim | undefined> => {
    holders += 1;
    const lease = { holder: `p${holders}`, at, until: addMilliseconds(at, 30_000) };
    return (await store.leaseDue(lease, { since: subHours(at, 4), limit: 1 }))[0];
  };

  const claimed = async (at: Date): Promise<HomeClaim> => {
    const found = await claim(at);
    if (!found) throw new Error('nothing is due');
    return found;
  };

  const change = (teamId = 'T1') =>
    database.db.transaction().execute((trx) => recordHomeChange(trx, teamId));

  it('hands out each opened tab once, the one that waits longest first', async () => {
    await openHome('U2', later(1));
    await openHome('U1', noon);
    await openHome('U1', later(2));
    const [first, second, third] = [
      await claim(later(5)),
      await claim(later(5)),
      await claim(later(5)),
    ];
    expect([first?.slackUserId, second?.slackUserId, third]).toEqual(['U1', 'U2', undefined]);
    expect(first).toMatchObject({ isOpened: true, shownDigest: undefined });
  });

  it('hands out again what a process that died held, after its lease', async () => {
    await openHome('U1');
    await claimed(noon);
    expect(await claim(later(29_999))).toBeUndefined();
    expect(await claim(later(30_000))).toMatchObject({ slackUserId: 'U1', isOpened: true });
  });

  it('publishes a tab once more if it was opened while it was being published', async () => {
    await openHome('U1');
    const held = await claimed(noon);
    await openHome('U1', later(10));
    expect(await store.finish(held, { ...complete, nextAt: later(2000) })).toBe(true);
    const again = await claimed(later(20));
    expect(again).toMatchObject({ isOpened: true, shownDigest: 'd1', shownHash: 'h1' });
    await store.finish(again, { ...complete, nextAt: later(2000) });
    expect(await claim(later(5000))).toBeUndefined();
  });

  it('forgets what it knows of a tab that showed something else while it was being published', async () => {
    await openHome('U1');
    await store.finish(await claimed(noon), { ...complete, nextAt: noon });
    await openHome('U1', later(1), 'h1');
    const held = await claimed(later(1));
    await openHome('U1', later(2), 'h2');
    await store.finish(held, { ...complete, hash: 'h3', nextAt: later(2000) });
    expect(await claimed(later(20))).toMatchObject({ isOpened: true, shownDigest: undefined });
  });

  it('forgets what it knows of a tab that shows something else', async () => {
    await openHome('U1');
    await store.finish(await claimed(noon), { ...complete, nextAt: noon });
    await openHome('U1', later(1), 'h1');
    const same = await claimed(later(1));
    expect(same.shownDigest).toBe('d1');
    await store.finish(same, { ...complete, nextAt: noon });
    await openHome('U1', later(2), 'h2');
    expect((await claimed(later(2))).shownDigest).toBeUndefined();
  });

  it('updates tabs that were opened long ago when settings are saved', async () => {
    await openHome('U1');
    await store.finish(await claimed(noon), { ...complete, nextAt: noon });
    const nextWeek = later(7 * 86_400_000);
    await change();
    await store.applyChanges();
    expect(await claim(nextWeek)).toBeUndefined();
    await database.db
      .transaction()
      .execute((trx) => recordSettingsChange(trx, { teamId: 'T1', at: nextWeek }));
    await store.applyChanges();
    const refreshed = await claimed(nextWeek);
    expect(refreshed).toMatchObject({ slackUserId: 'U1', isOpened: false });
    await store.finish(refreshed, { ...complete, nextAt: nextWeek });
    expect(await claim(nextWeek)).toBeUndefined();
  });

  it('ignores a repeated event that was handled, and takes one that was not', async () => {
    await openHome('U1', later(1000));
    await store.finish(await claimed(later(1000)), { ...complete, nextAt: noon });
    const repeated = { teamId: 'T1', slackUserId: 'U1', directChannelId: undefined };
    await store.open({ ...repeated, at: later(5000), repeatedFrom: later(900) });
    expect(await claim(later(5000))).toBeUndefined();
    await store.open({ ...repeated, at: later(5000), repeatedFrom: later(1001) });
    expect(await claim(later(5000))).toMatchObject({ isOpened: true });
  });

  it('brings tabs up to date after a change, for four hours, and once for many changes', async () => {
    await openHome('U1');
    await store.finish(await claimed(noon), { ...complete, nextAt: later(2000) });
    await change();
    await change();
    await change('T2');
    expect(await claim(later(3000))).toBeUndefined();
    await store.applyChanges();
    expect(await claim(later(1999))).toBeUndefined();
    const refreshed = await claimed(later(2000));
    expect(refreshed.isOpened).toBe(false);
    await store.finish(refreshed, { ...complete, nextAt: later(4000) });
    expect(await claim(later(9000))).toBeUndefined();
    await change();
    await store.applyChanges();
    expect(await claim(later(4 * 3_600_000))).toBeUndefined();
    expect(await database.db.selectFrom('home_change').selectAll().execute()).toEqual([]);
  });

  it('loses no change that is made while a tab is rendered', async () => {
    await openHome('U1');
    const held = await claimed(noon);
    await change();
    await store.applyChanges();
    await store.finish(held, { ...complete, nextAt: noon });
    expect(await claim(later(1))).toMatchObject({ isOpened: false });
  });

  it('tries an incomplete tab again, and one whose lease ended before it was recorded', async () => {
    await openHome('U1');
    const held = await claimed(noon);
    await store.finish(held, { ...complete, isComplete: false, nextAt: later(60_000) });
    expect(await claim(later(59_999))).toBeUndefined();
    const slow = await claimed(later(60_000));
    const next = await claimed(later(90_000));
    await store.finish(next, { ...complete, nextAt: later(90_000) });
    expect(await store.finish(slow, { ...complete, digest: 'old', nextAt: noon })).toBe(false);
    expect(await claim(later(90_001))).toMatchObject({ isOpened: false, shownDigest: undefined });
  });

  it('postpones, gives up until the next change, and forgets people who are gone', async () => {
    await openHome('U1');
    await store.postpone(await claimed(noon), { until: later(2000), attempts: 3 });
    expect(await claim(later(1999))).toBeUndefined();
    const failing = await claimed(later(2000));
    expect(failing.attempts).toBe(3);
    await store.giveUp(failing);
    expect(await claim(later(3000))).toBeUndefined();
    await change();
    await store.applyChanges();
    await store.forget(await claimed(later(3000)));
    await change();
    await store.applyChanges();
    expect(await claim(later(4000))).toBeUndefined();
    await openHome('U2');
    await store.prune(later(1));
    expect(await claim(later(4000))).toBeUndefined();
  });

  it('limits publications in any window, for all processes, and keeps some for those who wait', async () => {
    await openHome('U1');
    const paces = [0, 1].map(() => createPublishPace(database.db, limit));
    const take = (isOpened: boolean, at: Date) =>
      Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          paces[index % 2]?.take({ teamId: 'T1', isOpened, at }),
        ),
      ).then((taken) => taken.filter(Boolean).length);
    expect(await take(false, noon)).toBe(3);
    expect(await take(true, later(1000))).toBe(2);
    // Not before the window of the first ones has ended.
    expect(await claim(later(59_999))).toBeUndefined();
    expect(await take(true, later(59_999))).toBe(0);
    const due = await claimed(later(60_000));
    expect(due.slackUserId).toBe('U1');
    expect(await take(true, later(60_000))).toBe(3);
    expect(await take(false, later(60_000))).toBe(0);
  });

  it('counts a tab that took long to render when it is published', async () => {
    await openHome('U1');
    const pace = createPublishPace(database.db, limit);
    const take = (at: Date) => pace.take({ teamId: 'T1', isOpened: true, at });
    for (const at of [0, 1, 2, 3, 4]) expect(await take(later(at))).toBe(true);
    for (const at of [0, 1, 2, 3, 4]) {
      await pace.move('T1', { takenAt: later(at), at: later(5000 + at) });
    }
    expect(await take(later(60_000))).toBe(false);
    expect(await take(later(64_999))).toBe(false);
    expect(await take(later(65_000))).toBe(true);
    expect(await take(later(65_000))).toBe(false);
  });

  it('counts no publications after what the clock says since it was set back', async () => {
    await openHome('U1');
    const pace = createPublishPace(database.db, limit);
    const take = (at: Date) => pace.take({ teamId: 'T1', isOpened: true, at });
    for (const at of [0, 1, 2, 3, 4]) expect(await take(later(at))).toBe(true);
    expect(await take(later(-3_600_000))).toBe(true);
  });

  it('waits as long as Slack asks', async () => {
    await openHome('U1');
    await openHome('U1', noon, undefined, 'T2');
    await createPublishPace(database.db, limit).pause('T1', later(30_000));
    expect(await claimed(noon)).toMatchObject({ teamId: 'T2' });
    expect(await claim(later(29_999))).toBeUndefined();
    const due = [await claimed(later(30_000)), await claimed(later(30_000))];
    expect(due.map(({ teamId }) => teamId).sort()).toEqual(['T1', 'T2']);
  });
});
