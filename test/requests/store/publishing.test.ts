import { addMinutes } from 'date-fns/addMinutes';
import { addSeconds } from 'date-fns/addSeconds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { ApprovalRef } from '../../../src/requests/approval.ts';
import { addFollower, type Copy, readCopies } from '../../../src/requests/copies/copy.ts';
import type { CopiesClaim } from '../../../src/requests/copies/copy-store.ts';
import { toApproval, withRuns } from '../../../src/requests/store/approval-row.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { databases } from '../../support/databases.ts';
import { waitForLock } from '../../support/wait-for-lock.ts';
import { decideAs, newApproval, noon, onePm, openApprovalStore, pendingRequest } from './rows.ts';

const until = addMinutes(onePm, 1);

type BehindClaim = CopiesClaim & { behind: Copy[] };

describe.each(databases())('rendering on $name', ({ name, open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  async function posted(approvers: string[]): Promise<ApprovalRef> {
    const asked = await newApproval(database.db, { approvers });
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    return ref;
  }
  const deny = (ref: ApprovalRef) =>
    store.decide({ ...ref, to: 'denied', by: 'U_X', mailboxHash: 'U_X', at: onePm });
  async function denied(): Promise<ApprovalRef> {
    const { teamId, id } = await pendingRequest(database.db, store);
    const ref = { teamId, id };
    await deny(ref);
    return ref;
  }
  const claim = (ref: ApprovalRef, at = onePm, end = until) =>
    store.claimCopies({ ...ref, at, until: end });
  async function claimed(ref: ApprovalRef, at = onePm, end = until): Promise<BehindClaim> {
    const found = await claim(ref, at, end);
    if (!found) throw new Error('nobody could claim it');
    return { ...found, behind: await store.findBehind(found.approval) };
  }
  /** All copies that are behind, or only those of some kinds, are up to date. */
  const finish = (from: BehindClaim, kinds?: Copy['kind'][]) => {
    const upToDate = from.behind.filter(({ kind }) => kinds?.includes(kind) ?? true);
    return store.finishCopies(from, { upToDate, revoked: [], isComplete: kinds === undefined });
  };
  const nothing = { upToDate: [], revoked: [], isComplete: false };
  const kindsOf = ({ behind }: BehindClaim) => behind.map(({ kind }) => kind).sort();
  const isFound = async (ref: ApprovalRef) =>
    (await store.findUnpublished({ since: noon, at: onePm })).some(({ id }) => id === ref.id);

  it('claims a request whose messages are not up to date', async () => {
    const ref = await denied();
    const found = await claimed(ref);
    expect(found.approval).toMatchObject({ state: 'denied', version: 1 });
    expect(kindsOf(found)).toEqual(['channel', 'requester']);
    const channel = found.behind.find(({ kind }) => kind === 'channel');
    expect(channel?.message).toEqual({ channelId: 'C1', messageTs: '1.000001' });
  });

  it('allows one claim at a time, until it ends or expires', async () => {
    const ref = await denied();
    const claims = await Promise.all([claim(ref), claim(ref), claim(ref)]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    const late = await claimed(ref, until);
    await store.finishCopies(late, nothing);
    expect(await claim(ref)).toBeDefined();
  });

  it('is not rendered before a pause has ended', async () => {
    const ref = await denied();
    const pausedUntil = addSeconds(onePm, 2);
    await store.finishCopies(await claimed(ref), { ...nothing, pausedUntil });
    expect(await store.claimableAt(ref)).toEqual(pausedUntil);
    expect(await isFound(ref)).toBe(false);
    expect(await claim(ref)).toBeUndefined();
    expect(await claim(ref, pausedUntil)).toBeDefined();
  });

  it('is done when all messages show the latest version', async () => {
    const ref = await denied();
    expect(await isFound(ref)).toBe(true);
    expect(await finish(await claimed(ref), ['channel'])).toBe(false);
    expect(await isFound(ref)).toBe(true);
    const second = await claimed(ref);
    expect(kindsOf(second)).toEqual(['requester']);
    const direct = { channelId: 'D1', messageTs: '2.000002' };
    await store.recordCopy(
      second.approval,
      { kind: 'requester', slackUserId: 'U_REQUESTER' },
      direct,
    );
    expect(await store.finishCopies(second, { ...nothing, isComplete: true })).toBe(true);
    expect(await isFound(ref)).toBe(false);
    expect(await claim(ref)).toBeUndefined();
    const copies = await readCopies(database.db, second.approval);
    expect(copies.find(({ kind }) => kind === 'requester')?.message).toEqual(direct);
    expect(await store.findByMessage(ref.teamId, direct)).toMatchObject({
      approval: { id: ref.id },
      requesterCopy: direct,
    });
  });

  it('is done after one claim if the message is unknown and nothing changed', async () => {
    const asked = await newApproval(database.db);
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    await decideAs(store, { ...ref, to: 'approved', by: 'U_BEN', mailboxHash: 'U_BEN', at: onePm });
    const approved = await claimed(ref);
    expect(kindsOf(approved)).toEqual(['requester']);
    await finish(approved);
    expect(await claim(ref)).toBeUndefined();
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    expect(kindsOf(await claimed(ref))).toEqual(['channel']);
  });

  it('claims a new request for its approvers, once it is posted', async () => {
    const asked = await newApproval(database.db, { approvers: ['U_REQUESTER', 'U_BEN', 'U_CLEO'] });
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    expect(await claim(ref)).toBeUndefined();
    expect(await isFound(ref)).toBe(false);
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    const first = await claimed(ref);
    expect(first.behind.map(({ slackUserId }) => slackUserId).sort()).toEqual(['U_BEN', 'U_CLEO']);
    expect(
      first.behind.every(({ kind, shownVersion }) => kind === 'approver' && shownVersion < 0),
    ).toBe(true);
    await finish(first);
    // Noted again, they stay as they are.
    await store.noteApprovers(first.approval, ['U_BEN']);
    expect(await store.findBehind(first.approval)).toEqual([]);
    expect(await claim(ref)).toBeUndefined();
    // Who needed no message for the first version never gets one.
    await deny(ref);
    expect(kindsOf(await claimed(ref))).toEqual(['channel', 'requester']);
  });

  it('keeps the copies of a person who follows and approves apart', async () => {
    const ref = await posted(['U_BEN']);
    expect(await store.follow({ ...ref, slackUserId: 'U_BEN', at: onePm })).toBeDefined();
    const first = await claimed(ref);
    const ben = { slackUserId: 'U_BEN', kind: 'approver' as const };
    expect(await store.markAttempted(first, ben, onePm)).toBe(true);
    await store.finishCopies(first, nothing);
    await deny(ref);
    const { behind } = await claimed(ref);
    const ofBen = behind.filter(({ slackUserId }) => slackUserId === 'U_BEN');
    expect(ofBen.map(({ kind, attemptedAt }) => [kind, attemptedAt]).sort()).toEqual([
      ['approver', onePm],
      ['follower', undefined],
    ]);
  });

  it('lets only the process with the latest claim send a direct message', async () => {
    const ref = await posted(['U_BEN']);
    const slow = await claimed(ref);
    const next = await claimed(ref, until, addMinutes(until, 1));
    for (const copy of [
      { slackUserId: 'U_BEN', kind: 'approver' as const },
      { slackUserId: 'U_REQUESTER', kind: 'requester' as const },
    ]) {
      expect(await store.markAttempted(slow, copy, onePm)).toBe(false);
      expect(await store.markAttempted(next, copy, onePm)).toBe(true);
    }
  });

  it('keeps the claim of another process, and renders an overwritten message again', async () => {
    const ref = await denied();
    const slow = await claimed(ref);
    const next = await claimed(ref, until, addMinutes(until, 1));
    expect(await finish(slow)).toBe(false);
    expect(await claim(ref, until)).toBeUndefined();
    // What the slow process showed may have replaced what the next one showed.
    expect(await finish(next)).toBe(false);
    const again = await claimed(ref);
    expect(kindsOf(again)).toEqual(['channel', 'requester']);
    expect(await finish(again)).toBe(true);
    expect(await claim(ref)).toBeUndefined();
  });

  it.runIf(name === 'PostgreSQL')(
    'shows a change to somebody who began to follow before it',
    async () => {
      const { teamId, id } = await pendingRequest(database.db, store);
      const ref = { teamId, id };
      // So that there is something to claim.
      await store.markStale(ref);
      const { db } = database;
      const following = await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('approval')
          .selectAll()
          .select(withRuns)
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        await addFollower(trx, toApproval(row), 'U_FOLLOWER');
        const denying = deny(ref);
        await waitForLock(db);
        const claiming = claimed(ref);
        await waitForLock(db, 2);
        return { denying, claiming };
      });
      await following.denying;
      const claim = await following.claiming;
      expect(claim.approval).toMatchObject({ state: 'denied' });
      expect(kindsOf(claim)).toEqual(['channel', 'follower', 'requester']);
    },
  );

  it('shows the outcome in a message whose place is recorded while others are rendered', async () => {
    const asked = await newApproval(database.db, { approvers: ['U_BEN'] });
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    await store.voidUnposted({ ...ref, outcome: 'Too late.', at: onePm });
    await store.markStale(ref);
    const first = await claimed(ref);
    expect(kindsOf(first)).toEqual(['requester']);
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    expect(await finish(first)).toBe(false);
    expect(kindsOf(await claimed(ref))).toEqual(['approver', 'channel']);
  });

  it('shows the outcome in a direct message whose place is recorded after it', async () => {
    const asked = await newApproval(database.db, {
      approvers: ['U_BEN'],
      breakGlassMailbox: 'own',
    });
    const ref = { teamId: asked.teamId, id: asked.id };
    const created = await store.create(asked);
    if (created.result !== 'created') throw new Error(created.result);
    const ben = { slackUserId: 'U_BEN', kind: 'approver' as const };
    await store.markAnnouncing({ ...ref, ...ben, at: onePm });
    await store.voidUnposted({ ...ref, outcome: 'Too late.', at: onePm });
    expect(await finish(await claimed(ref))).toBe(true);
    await store.recordCopy(created.approval, ben, { channelId: 'D1', messageTs: '2.000002' });
    expect(await isFound(ref)).toBe(true);
    expect(kindsOf(await claimed(ref))).toEqual(['approver']);
  });

  it('forgets a person who may no longer see the request', async () => {
    const ref = await posted(['U_BEN']);
    const first = await claimed(ref);
    await store.finishCopies(first, { upToDate: [], revoked: first.behind, isComplete: true });
    await deny(ref);
    expect(kindsOf(await claimed(ref))).toEqual(['channel', 'requester']);
  });

  it('starts again if somebody sees an older version', async () => {
    const ref = await denied();
    await finish(await claimed(ref));
    await store.markStale(ref);
    expect(kindsOf(await claimed(ref))).toEqual(['channel']);
  });

  it('starts again if somebody sees an older version while it is rendered', async () => {
    const ref = await denied();
    const first = await claimed(ref);
    await store.markStale(ref);
    await store.markStale(ref);
    expect(await claim(ref)).toBeUndefined();
    expect(await finish(first)).toBe(false);
    const second = await claimed(ref);
    expect(kindsOf(second)).toEqual(['channel']);
    expect(await finish(second)).toBe(true);
    expect(await claim(ref)).toBeUndefined();
  });

  it('starts again if the request changed meanwhile', async () => {
    const { teamId, id } = await pendingRequest(database.db, store);
    const ref = { teamId, id };
    await decideAs(store, { ...ref, to: 'approved', by: 'U_BEN', mailboxHash: 'U_BEN', at: onePm });
    const approved = await claimed(ref);
    const lease = { holder: 'one', until };
    await store.begin({ ...ref, lease, at: onePm });
    expect(await finish(approved)).toBe(false);
    expect((await claimed(ref)).approval).toMatchObject({ state: 'running', version: 2 });
  });
});
