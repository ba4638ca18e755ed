import { addMinutes } from 'date-fns/addMinutes';
import { subMinutes } from 'date-fns/subMinutes';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import type { DigestStore } from '../../../../src/features/digests/store/digest-store.ts';
import { noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';
import {
  claimDue,
  newDigest,
  openDigestStore,
  runOf,
  sampleSettings,
  upToThree,
} from './digest-rows.ts';

const settings = { ...sampleSettings, time: '06:30' };
/** The next 06:30 in Berlin. */
const tomorrow = new Date('2026-03-02T05:30:00Z');
const change = { settings, basedOn: 0, by: 'U_BEN', at: noon };

describe.each(databases())('changing a digest on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: DigestStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openDigestStore(database.db));
  });
  afterEach(() => database.db.deleteFrom('digest').execute());
  afterAll(() => database.close());

  const claimed = (now = noon) => claimDue(store, now);

  it('reschedules a digest that is not due', async () => {
    const digest = newDigest({ nextRunAt: addMinutes(noon, 1) });
    await store.create(digest, upToThree);
    expect(await store.change(digest, change)).toMatchObject({ digest: { nextRunAt: tomorrow } });
    expect((await claimed(tomorrow)).digest.dueAt).toEqual(tomorrow);
  });

  it('leaves a due digest due, and resets its attempts', async () => {
    const dueAt = subMinutes(noon, 5);
    const digest = newDigest({ nextRunAt: dueAt });
    await store.create(digest, upToThree);
    await claimed(subMinutes(noon, 4));
    await store.change(digest, change);
    expect(await claimed()).toMatchObject({ attempt: 1, digest: { dueAt, settings } });
  });

  it('preserves the original due time over several changes', async () => {
    const digest = newDigest();
    await store.create(digest, upToThree);
    for (const [basedOn, minutes] of [
      [0, 10],
      [1, 20],
    ] as const) {
      const at = addMinutes(noon, minutes);
      await store.change(digest, { ...change, basedOn, at });
    }
    expect((await claimed(addMinutes(noon, 20))).digest.dueAt).toEqual(noon);
  });

  it('succeeds for one of two people who edited the same version', async () => {
    const { store: recording, queued } = openDigestStore(database.db);
    const digest = newDigest();
    await recording.create(digest, upToThree);
    const changes = ['U_BEN', 'U_CLEO'].map((by) => ({ ...change, basedOn: 0, by }));
    const made = await Promise.all(changes.map((one) => recording.change(digest, one)));
    expect(made.map((one) => one?.result).sort()).toEqual(['changed', 'changed-meanwhile']);
    const present = await recording.find(digest);
    expect(made.map((one) => one?.digest)).toEqual([present, present]);
    expect(queued.flatMap(({ subjects }) => subjects)).toEqual([
      `digest:${digest.id}:set-up`,
      expect.stringContaining(`digest:${digest.id}:change:`),
    ]);
  });

  it('revokes the lease of a run with the old settings', async () => {
    await store.create(newDigest(), upToThree);
    const old = await claimed();
    await store.change(old.digest, change);
    expect(await store.finish(old, runOf(old))).toBe(false);
    const rerun = await claimed();
    expect(await store.finish(rerun, runOf(rerun))).toBe(true);
  });

  it('schedules a paused digest at its next run', async () => {
    const digest = newDigest();
    await store.create(digest, upToThree);
    await database.db
      .updateTable('digest')
      .set({ paused_at: noon, paused_reason: 'gone' })
      .where('id', '=', digest.id)
      .execute();
    expect(await store.change(digest, change)).toMatchObject({ digest: { nextRunAt: tomorrow } });
  });
});
