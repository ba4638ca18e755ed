import { addDays } from 'date-fns/addDays';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import {
  digestOutboxHandlers,
  digests,
} from '../../../../src/features/digests/store/digest-kind.ts';
import type {
  DigestRun,
  DigestStore,
} from '../../../../src/features/digests/store/digest-store.ts';
import { newApproval, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';
import {
  claimDue,
  claimNext,
  firstPeriodFrom,
  newDigest,
  openDigestStore,
  runOf,
  sampleSettings,
  upToThree,
} from './digest-rows.ts';

type Channel = { teamId: string; channelId: string };

describe.each(databases())('pausing digests on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: DigestStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openDigestStore(database.db));
  });
  afterEach(() => database.db.deleteFrom('digest').execute());
  afterAll(() => database.close());

  const pause = (channel: Channel) =>
    database.db
      .transaction()
      .execute((trx) => digests.pause(trx, channel, { at: noon, reason: 'gone' }));
  const rewind = (channel: Channel, subjects: string[]) =>
    database.db
      .transaction()
      .execute((trx) => digestOutboxHandlers.onMessagesDropped(trx, channel, subjects));

  const claimed = (now = noon) => claimDue(store, now);

  it("pauses a channel's digests once and returns their creators", async () => {
    const [one, two] = [newDigest(), newDigest({ createdBy: 'U_BEN' })];
    const { teamId } = one;
    const elsewhere = newDigest({ teamId, channelId: 'C2' });
    for (const digest of [one, { ...two, teamId }, elsewhere])
      await store.create(digest, upToThree);
    const paused = await pause({ teamId, channelId: 'C1' });
    expect(paused.map((row) => row.created_by).toSorted()).toEqual(['U_ANA', 'U_BEN']);
    expect(await pause({ teamId, channelId: 'C1' })).toEqual([]);
    expect(await store.find(one)).toMatchObject({ pausedReason: 'gone' });
    expect((await claimed()).digest.id).toBe(elsewhere.id);
    expect(await claimNext(store, noon)).toBeUndefined();
  });

  it('prevents a running digest from finishing', async () => {
    const digest = newDigest();
    await store.create(digest, upToThree);
    const claim = await claimed();
    await pause(digest);
    expect(await store.finish(claim, runOf(claim))).toBe(false);
    expect(await store.find(digest)).toMatchObject({
      nextRunAt: noon,
      coveredUntil: firstPeriodFrom,
    });
  });

  it('resumes at the next run, and resets attempts', async () => {
    const digest = newDigest();
    await store.create(digest, upToThree);
    const change = { settings: sampleSettings, basedOn: 0, by: 'U_BEN', at: noon };
    await store.change(digest, change);
    await claimed();
    await pause(digest);
    const nextRunAt = addDays(noon, 6);
    expect(await store.resume(digest, addDays(noon, 5))).toBe(1);
    expect(await store.resume(digest, noon)).toBe(0);
    expect(await store.find(digest)).toMatchObject({ nextRunAt, pausedReason: undefined });
    expect(await claimed(nextRunAt)).toMatchObject({ attempt: 1, digest: { dueAt: nextRunAt } });
  });

  it('covers the periods of dropped messages again', async () => {
    const { teamId } = await newApproval(database.db);
    const digest = newDigest({ teamId });
    await store.create(digest, upToThree);
    const { id: connectionId } = await database.db
      .selectFrom('connection')
      .select('id')
      .where('team_id', '=', teamId)
      .executeTakeFirstOrThrow();
    const report = { connectionId, counts: {}, samples: [] };
    const subjects: string[] = [];
    for (let day = 0; day < 4; day += 1) {
      const at = addDays(noon, day);
      const claim = await claimed(at);
      const run: DigestRun = {
        ...runOf(claim, { at, since: addDays(at, -1), report, nextRunAt: addDays(at, 1) }),
        ...(day === 3 && { outgoing: undefined }),
      };
      if (run.outgoing) subjects.push(run.outgoing.subject);
      expect(await store.finish(claim, run)).toBe(true);
    }
    const [, second = '', third = ''] = subjects;
    await rewind(digest, []);
    await rewind({ ...digest, channelId: 'C2' }, [second]);
    expect(await store.find(digest)).toMatchObject({ coveredUntil: addDays(noon, 3) });
    await rewind(digest, [third, second, 'watch:other']);
    expect(await store.find(digest)).toMatchObject({ coveredUntil: noon });
    await rewind(digest, [third]);
    expect(await store.find(digest)).toMatchObject({ coveredUntil: noon });
  });
});
