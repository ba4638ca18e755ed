import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import { subMinutes } from 'date-fns/subMinutes';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { defaultSearch } from '../../../../src/features/alerts/alert-search.ts';
import type { DigestStore } from '../../../../src/features/digests/store/digest-store.ts';
import {
  newTeamId,
  noon,
  openApprovalStore,
  pendingRequest,
} from '../../../requests/store/rows.ts';
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

const byBen = { by: 'U_BEN', at: noon };

describe.each(databases())('the digest store on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: DigestStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openDigestStore(database.db));
  });
  // `claimDue` returns any digest that is due, so tests must not leave one behind.
  afterEach(() => database.db.deleteFrom('digest').execute());
  afterAll(() => database.close());

  const claimed = (now = noon) => claimDue(store, now);

  it('returns a digest for its own channel only', async () => {
    const digest = newDigest();
    expect(await store.create(digest, upToThree)).toMatchObject({ result: 'created' });
    const { at: createdAt, sourceViewId: _, ...rest } = digest;
    const unchanged = { createdAt, changedBy: undefined, version: 0 };
    const expected = { ...rest, ...unchanged, dueAt: noon, coveredUntil: firstPeriodFrom };
    expect(await store.find(digest)).toEqual(expected);
    expect(await store.list(digest)).toEqual([expected]);
    expect(await store.list({ ...digest, channelId: 'C2' })).toEqual([]);
    for (const other of [{ teamId: 'T_OTHER' }, { channelId: 'C_OTHER' }]) {
      expect(await store.find({ ...digest, ...other })).toBeUndefined();
      expect(await store.end({ ...digest, ...other, ...byBen })).toBeUndefined();
    }
  });

  it('creates one digest for each form, up to the limit', async () => {
    const first = newDigest();
    const again = () => newDigest({ teamId: first.teamId, sourceViewId: first.sourceViewId });
    const outcomes = await Promise.all(
      [first, again(), again()].map((one) => store.create(one, upToThree)),
    );
    expect(outcomes.map(({ result }) => result).toSorted()).toEqual([
      'created',
      'exists',
      'exists',
    ]);
    const more = await Promise.all(
      [1, 2, 3, 4].map(() => store.create(newDigest({ teamId: first.teamId }), upToThree)),
    );
    const results = more.map(({ result }) => result).toSorted();
    expect(results).toEqual(['created', 'created', 'too-many', 'too-many']);
    const elsewhere = newDigest({ teamId: first.teamId, channelId: 'C2' });
    expect(await store.create(elsewhere, upToThree)).toMatchObject({ result: 'created' });
  });

  it('changes and ends a digest', async () => {
    const digest = newDigest();
    await store.create(digest, upToThree);
    const search = { ...defaultSearch, severities: ['error'], words: ['vm-12'] };
    const settings = { ...sampleSettings, time: '06:30', weekdays: [1], search };
    // A Monday in Berlin.
    const nextRunAt = new Date('2026-03-02T05:30:00Z');
    const at = subMinutes(noon, 1);
    const change = {
      settings,
      basedOn: 0,
      by: 'U_BEN',
      at,
    };
    const changed = await store.change(digest, change);
    expect(changed).toMatchObject({
      result: 'changed',
      digest: { settings, createdBy: 'U_ANA', changedBy: 'U_BEN', version: 1, nextRunAt },
    });
    expect(await store.find(digest)).toEqual(changed?.digest);
    expect(await store.end({ ...digest, ...byBen })).toMatchObject({ id: digest.id });
    expect(await store.end({ ...digest, ...byBen })).toBeUndefined();
    expect(await store.change(digest, change)).toBeUndefined();
  });

  it('queues a notice with each change, or changes nothing', async () => {
    const { store: recording, queued } = openDigestStore(database.db);
    const { store: broken } = openDigestStore(database.db, async () => {
      throw new Error('no queue');
    });
    const digest = newDigest();
    const change = {
      settings: { ...sampleSettings, time: '06:30' },
      by: 'U_BEN',
      at: noon,
      basedOn: 0,
    };
    await expect(broken.create(digest, upToThree)).rejects.toThrow('no queue');
    expect(await recording.create(digest, upToThree)).toMatchObject({ result: 'created' });
    expect(await recording.create(digest, upToThree)).toMatchObject({ result: 'exists' });
    await expect(broken.change(digest, change)).rejects.toThrow('no queue');
    expect(await store.find(digest)).toMatchObject({ settings: sampleSettings });
    expect(await recording.change(digest, change)).toMatchObject({ result: 'changed' });
    await expect(broken.end({ ...digest, ...byBen })).rejects.toThrow('no queue');
    expect(await recording.end({ ...digest, ...byBen })).toMatchObject({ id: digest.id });
    expect(await recording.end({ ...digest, ...byBen })).toBeUndefined();
    const { teamId, channelId } = digest;
    const sent = (subject: string) => {
      const subjects = [expect.stringContaining(`digest:${digest.id}:${subject}`)];
      return expect.objectContaining({ teamId, channelId, ownerSlackUserId: 'U_ANA', subjects });
    };
    expect(queued).toEqual([sent('set-up'), sent('change'), sent('end')]);
  });

  it('lets one of several processes claim a due digest, oldest due time first', async () => {
    const late = newDigest({ nextRunAt: subMinutes(noon, 5) });
    const due = newDigest();
    const early = newDigest({ nextRunAt: addMinutes(noon, 1) });
    for (const digest of [due, early, late]) await store.create(digest, upToThree);
    const first = await claimed();
    expect(first).toMatchObject({ attempt: 1, digest: { dueAt: late.nextRunAt, version: 0 } });
    const claims = await Promise.all([1, 2, 3].map(() => claimNext(store, noon)));
    expect(claims.flatMap((claim) => claim?.digest.id ?? [])).toEqual([due.id]);
  });

  it('lets a digest be claimed again after its lease expired', async () => {
    await store.create(newDigest(), upToThree);
    const first = await claimed();
    expect(await claimNext(store, addMinutes(noon, 1))).toBeUndefined();
    const second = await claimed(addMinutes(noon, 2));
    expect(second).toMatchObject({ attempt: 2, digest: { dueAt: first.digest.dueAt } });
    // The first process, if it was only slow, can't finish anymore.
    expect(await store.finish(first, runOf(first))).toBe(false);
    expect(await store.finish(second, runOf(second))).toBe(true);
    expect(await store.finish(second, runOf(second))).toBe(false);
  });

  it('lets digests with fewer attempts be claimed first', async () => {
    const failing = newDigest({ nextRunAt: subMinutes(noon, 60) });
    const other = newDigest({ nextRunAt: subMinutes(noon, 50) });
    for (const digest of [failing, other]) await store.create(digest, upToThree);
    expect((await claimed(subMinutes(noon, 60))).digest.id).toBe(failing.id);
    const claims = [await claimed(), await claimed()];
    expect(claims.map(({ digest, attempt }) => [digest.id, attempt])).toEqual([
      [other.id, 1],
      [failing.id, 2],
    ]);
  });

  it('resets the due time after the run of a digest that was edited while due', async () => {
    const digest = newDigest();
    await store.create(digest, upToThree);
    const at = addMinutes(noon, 90);
    await store.change(digest, {
      settings: sampleSettings,
      basedOn: 0,
      by: 'U_BEN',
      at,
    });
    const late = await claimed(at);
    expect(late.digest.dueAt).toEqual(noon);
    const run = runOf(late);
    expect(await store.finish(late, run)).toBe(true);
    expect((await claimed(run.nextRunAt)).digest.dueAt).toEqual(run.nextRunAt);
  });

  it('does not finish a digest that was ended meanwhile', async () => {
    const { store: recording, queued } = openDigestStore(database.db);
    const digest = newDigest();
    await recording.create(digest, upToThree);
    const claim = await claimed();
    await recording.end({ ...digest, ...byBen });
    queued.length = 0;
    expect(await recording.finish(claim, runOf(claim))).toBe(false);
    expect(queued).toEqual([]);
  });

  it('counts the pending requests of a connection', async () => {
    const teamId = newTeamId();
    const of = { teamId, originId: undefined };
    const approvals = openApprovalStore(database.db).store;
    expect(await store.countPendingRequests(of)).toBe(0);
    const one = await pendingRequest(database.db, approvals, { teamId });
    const { connectionId } = one;
    const two = await pendingRequest(database.db, approvals, { teamId, connectionId });
    await approvals.decide({
      teamId,
      id: two.id,
      to: 'denied',
      by: 'U_BEN',
      mailboxHash: 'U_BEN',
      at: noon,
    });
    expect(await store.countPendingRequests(of)).toBe(1);
    expect(await store.countPendingRequests({ ...of, teamId: randomUUID() })).toBe(0);
  });
});
