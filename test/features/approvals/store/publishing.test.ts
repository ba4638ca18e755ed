import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import type { ApprovalRef } from '../../../../src/features/approvals/approval.ts';
import type { ApprovalStore } from '../../../../src/features/approvals/store/approval-store.ts';
import type { RenderingClaim } from '../../../../src/features/approvals/store/publishing.ts';
import { databases } from '../../../support/databases.ts';
import { newApproval, noon, onePm, openApprovalStore, pendingRequest } from './rows.ts';

const until = addMinutes(onePm, 1);

describe.each(databases())('rendering on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  async function denied(): Promise<ApprovalRef> {
    const { teamId, id } = await pendingRequest(database.db, store);
    await store.decide({ teamId, id, to: 'denied', by: 'U_BEN', mailboxHash: 'U_BEN', at: onePm });
    return { teamId, id };
  }
  const claim = (ref: ApprovalRef, at = onePm) => store.claimRendering({ ...ref, at, until });
  async function claimed(ref: ApprovalRef): Promise<RenderingClaim> {
    const approval = await claim(ref);
    if (!approval) throw new Error('nobody could claim it');
    return approval;
  }

  it('claims a request whose message is not up to date', async () => {
    const fresh = await pendingRequest(database.db, store);
    expect(await claim(fresh)).toBeUndefined();
    expect(await claim(await denied())).toMatchObject({ state: 'denied', version: 1 });
  });

  it('allows one claim at a time, until it ends or expires', async () => {
    const ref = await denied();
    const claims = await Promise.all([claim(ref), claim(ref), claim(ref)]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    const late = await claim(ref, until);
    if (!late) throw new Error('an expired claim was kept');
    await store.markRendered(late, {});
    expect(await claim(ref)).toBeDefined();
  });

  it('is done when both messages show the latest version', async () => {
    const ref = await denied();
    const isFound = async () =>
      (await store.findUnpublished({ since: noon, at: onePm })).some(({ id }) => id === ref.id);
    expect(await isFound()).toBe(true);
    expect(await store.markRendered(await claimed(ref), { renderedVersion: 1 })).toBe(true);
    expect(await isFound()).toBe(true);
    const direct = { channelId: 'D1', messageTs: '2.000002' };
    await store.markRendered(await claimed(ref), { notifiedVersion: 1, direct });
    expect(await isFound()).toBe(false);
    expect(await claim(ref)).toBeUndefined();
    expect(await store.find(ref)).toMatchObject({ directChannelId: 'D1', directTs: '2.000002' });
  });

  it('is done after one claim if the message is unknown and nothing changed', async () => {
    const asked = await newApproval(database.db);
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    await store.decide({ ...ref, to: 'approved', by: 'U_BEN', mailboxHash: 'U_BEN', at: onePm });
    const approved = await claimed(ref);
    expect(approved).toMatchObject({ state: 'approved', version: 1 });
    await store.markRendered(approved, { notifiedVersion: 1 });
    expect(await claim(ref)).toBeUndefined();
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    expect(await claim(ref)).toMatchObject({ renderedVersion: 0, notifiedVersion: 1 });
  });

  it('claims a new request for its approvers, once it is posted', async () => {
    const asked = await newApproval(database.db, { approvers: ['U_REQUESTER', 'U_BEN', 'U_CLEO'] });
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    expect(await claim(ref)).toBeUndefined();
    const found = await store.findUnpublished({ since: noon, at: onePm });
    expect(found.some(({ id }) => id === ref.id)).toBe(false);
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    const posted = await claimed(ref);
    const people = await store.followersBehind(posted);
    expect(people.map(({ slackUserId }) => slackUserId).sort()).toEqual(['U_BEN', 'U_CLEO']);
    expect(people.every(({ kind, isFirst }) => kind === 'approver' && isFirst)).toBe(true);
    await store.markFollowersUpToDate(posted, people);
    await store.markRendered(posted, { renderedVersion: 0, notifiedVersion: 0 });
    // Noted again, they stay as they are.
    await store.noteApprovers(posted, ['U_BEN']);
    expect(await claim(ref)).toBeUndefined();
  });

  it('keeps the copies of a person who follows and approves apart', async () => {
    const asked = await newApproval(database.db, { approvers: ['U_BEN'] });
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    expect(await store.follow({ ...ref, slackUserId: 'U_BEN', at: onePm })).toBeDefined();
    const first = await claimed(ref);
    const by = { slackUserId: 'U_BEN', at: onePm };
    expect(await store.markDirectAttempted(first, { ...by, kind: 'approver' })).toBe(true);
    await store.markRendered(first, {});
    await store.decide({ ...ref, to: 'denied', by: 'U_X', mailboxHash: 'U_X', at: onePm });
    const behind = await store.followersBehind(await claimed(ref));
    expect(behind.map(({ kind, attemptedAt }) => [kind, attemptedAt]).sort()).toEqual([
      ['approver', onePm],
      ['follower', undefined],
    ]);
  });

  it('lets only the process with the latest claim send a direct message', async () => {
    const asked = await newApproval(database.db, { approvers: ['U_BEN'] });
    const ref = { teamId: asked.teamId, id: asked.id };
    await store.create(asked);
    await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.000001' });
    const slow = await claimed(ref);
    const next = await store.claimRendering({ ...ref, at: until, until: addMinutes(until, 1) });
    if (!next) throw new Error('an expired claim was kept');
    for (const kind of ['approver', 'requester'] as const) {
      const to = { slackUserId: 'U_BEN', kind, at: onePm };
      expect(await store.markDirectAttempted(slow, to)).toBe(false);
      expect(await store.markDirectAttempted(next, to)).toBe(true);
    }
  });

  it('keeps the claim of another process, and renders an overwritten message again', async () => {
    const ref = await denied();
    const slow = await claimed(ref);
    const next = await store.claimRendering({ ...ref, at: until, until: addMinutes(until, 1) });
    if (!next) throw new Error('an expired claim was kept');
    const copies = { renderedVersion: 1, notifiedVersion: 1 };
    const direct = { channelId: 'D1', messageTs: '2.000002' };
    expect(await store.markRendered(slow, { ...copies, direct })).toBe(false);
    expect(await claim(ref, until)).toBeUndefined();
    expect(await store.find(ref)).toMatchObject({ directTs: '2.000002' });
    // What the slow process showed may have replaced what the next one showed.
    expect(await store.markRendered(next, copies)).toBe(false);
    expect(await store.markRendered(await claimed(ref), copies)).toBe(true);
    expect(await claim(ref)).toBeUndefined();
  });

  it('starts again if somebody sees an older version', async () => {
    const ref = await denied();
    await store.markRendered(await claimed(ref), { renderedVersion: 1, notifiedVersion: 1 });
    await store.markStale(ref);
    expect(await claim(ref)).toMatchObject({ state: 'denied', notifiedVersion: 1 });
  });

  it('starts again if somebody sees an older version while it is rendered', async () => {
    const ref = await denied();
    const first = await claimed(ref);
    await store.markStale(ref);
    await store.markStale(ref);
    expect(await claim(ref)).toBeUndefined();
    const copies = { renderedVersion: 1, notifiedVersion: 1 };
    expect(await store.markRendered(first, copies)).toBe(false);
    expect(await store.markRendered(await claimed(ref), copies)).toBe(true);
    expect(await claim(ref)).toBeUndefined();
  });

  it('starts again if the request changed meanwhile', async () => {
    const { teamId, id } = await pendingRequest(database.db, store);
    const ref = { teamId, id };
    await store.decide({ ...ref, to: 'approved', by: 'U_BEN', mailboxHash: 'U_BEN', at: onePm });
    const approved = await claimed(ref);
    const lease = { holder: 'one', until };
    await store.begin({ ...ref, lease, at: onePm });
    expect(await store.markRendered(approved, { renderedVersion: approved.version })).toBe(false);
    expect(await claim(ref)).toMatchObject({ state: 'running', version: 2 });
  });
});
