import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/features/approvals/approval.ts';
import type { ApprovalStore } from '../../src/features/approvals/approval-store.ts';
import { createApprovalStore } from '../../src/storage/approval-store.ts';
import type { OpenDatabase } from '../../src/storage/open-database.ts';
import { databases } from '../support/databases.ts';
import { eightPm, newApproval, newTeamId, noon, onePm } from './rows.ts';

describe.each(databases())('the approval store on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    store = createApprovalStore(database.db);
  });
  afterAll(() => database.close());

  async function pending(): Promise<Approval> {
    const created = await store.create(await newApproval(database.db));
    if (typeof created === 'string') throw new Error(`the request was not created: ${created}`);
    return created;
  }
  const approve = (ref: Approval, by = 'U_BEN', at = onePm) =>
    store.decide({ teamId: ref.teamId, id: ref.id, to: 'approved', by, at });

  describe('create', () => {
    it('keeps what was asked, as it was asked', async () => {
      const asked = await newApproval(database.db, { enterpriseId: 'E1' });
      const { sourceViewId: _, enterpriseId: __, organizationalUnitId: ___, ...kept } = asked;
      const created = await store.create(asked);
      const unseen = { version: 0, drawnVersion: 0, toldVersion: 0, messageTs: undefined };
      expect(created).toEqual({ ...kept, state: 'pending', ...unseen });
      expect(await store.find(asked)).toEqual(created);
    });

    it('takes one request from a view, even when it is submitted twenty times at once', async () => {
      const asked = await newApproval(database.db);
      const all = await Promise.all(
        Array.from({ length: 20 }, () => store.create({ ...asked, id: randomUUID() })),
      );
      expect(all.filter((one) => one !== 'asked-before')).toHaveLength(1);
    });

    it('refuses a connection that setup has replaced meanwhile', async () => {
      const asked = await newApproval(database.db);
      await database.db
        .updateTable('connection')
        .set({ replaced_at: noon, token_sealed: null })
        .where('id', '=', asked.connectionId)
        .execute();
      expect(await store.create(asked)).toBe('connection-replaced');
      expect(await store.find(asked)).toBeUndefined();
    });

    it('takes the same view id from another workspace: ids are unique within one', async () => {
      const asked = await newApproval(database.db);
      await store.create(asked);
      const elsewhere = await newApproval(database.db, { sourceViewId: asked.sourceViewId });
      expect(await store.create(elsewhere)).toMatchObject({ teamId: elsewhere.teamId });
    });

    it('keeps a payload that is a list', async () => {
      const asked = await newApproval(database.db, { payload: ['a', { b: 1 }] });
      expect(await store.create(asked)).toMatchObject({ payload: ['a', { b: 1 }] });
    });
  });

  describe('find', () => {
    it('finds nothing under the id of another workspace', async () => {
      const { id } = await pending();
      expect(await store.find({ teamId: newTeamId(), id })).toBeUndefined();
    });
  });

  describe('place and discard', () => {
    it('records where the request was posted', async () => {
      const { teamId, id } = await pending();
      const placed = await store.place({ teamId, id, channelId: 'C2', messageTs: '1.000001' });
      expect(placed).toMatchObject({
        state: 'pending',
        channelId: 'C2',
        messageTs: '1.000001',
      });
    });

    it('removes a request that could not be posted', async () => {
      const request = await pending();
      await store.discard(request);
      expect(await store.find(request)).toBeUndefined();
    });

    it('keeps a request that was posted', async () => {
      const { teamId, id } = await pending();
      await store.place({ teamId, id, channelId: 'C1', messageTs: '1.000001' });
      await store.discard({ teamId, id });
      expect(await store.find({ teamId, id })).toMatchObject({ state: 'pending' });
    });

    it('keeps a request that was decided before its place was recorded', async () => {
      const request = await pending();
      await approve(request);
      await store.discard(request);
      expect(await store.find(request)).toMatchObject({ state: 'approved' });
    });

    it('removes nothing of another workspace', async () => {
      const request = await pending();
      await store.discard({ teamId: newTeamId(), id: request.id });
      expect(await store.find(request)).toBeDefined();
    });
  });

  describe('begin and finish', () => {
    it('carries an approved request out once', async () => {
      const request = await pending();
      expect(await store.begin({ ...request, at: onePm })).toBeUndefined();
      await approve(request);
      const begun = await Promise.all(
        Array.from({ length: 20 }, () => store.begin({ ...request, at: onePm })),
      );
      expect(begun.filter(Boolean)).toEqual([expect.objectContaining({ state: 'executing' })]);
    });

    it.each(['succeeded', 'failed', 'outcome_unknown'] as const)('ends it %s, once', async (to) => {
      const request = await pending();
      const ending = { teamId: request.teamId, id: request.id, to, outcome: 'Done.', at: onePm };
      await approve(request);
      expect(await store.finish(ending)).toBeUndefined();
      await store.begin({ ...request, at: onePm });
      const ended = await store.finish(ending);
      expect(ended).toMatchObject({ state: to, outcome: 'Done.', finishedAt: onePm });
      expect(await store.finish({ ...ending, outcome: 'Again.' })).toBeUndefined();
      expect(await store.find(request)).toEqual(ended);
    });
  });

  describe('a late result', () => {
    it('takes the place of an unknown outcome, and is not undone by one', async () => {
      const request = await pending();
      await approve(request);
      await store.begin({ ...request, at: onePm });
      const ending = { teamId: request.teamId, id: request.id, at: onePm };
      await store.finish({ ...ending, to: 'outcome_unknown', outcome: 'Who knows.' });
      const late = await store.finish({ ...ending, to: 'succeeded', outcome: '' });
      expect(late).toMatchObject({ state: 'succeeded' });
      const again = { ...ending, to: 'outcome_unknown' as const, outcome: 'Who knows.' };
      expect(await store.finish(again)).toBeUndefined();
    });
  });

  describe('findUnpublished', () => {
    it('finds what ended and is not drawn or told so, until both are marked', async () => {
      const request = await pending();
      const { teamId, id } = request;
      await store.place({ teamId, id, channelId: 'C1', messageTs: '1.1' });
      await store.decide({ teamId, id, to: 'denied', by: 'U_BEN', at: onePm });
      const found = async () => {
        const all = await store.findUnpublished({ from: noon, to: eightPm });
        return all.some((one) => one.id === id);
      };
      expect(await found()).toBe(true);
      await store.markDrawn({ teamId, id, version: 1 });
      expect(await found()).toBe(true);
      await store.markTold({ teamId, id, version: 1 });
      expect(await found()).toBe(false);
    });
  });

  describe('expireDue', () => {
    it('closes what is pending and due, each once, and nothing else', async () => {
      const due = await pending();
      const approved = await pending();
      await approve(approved);
      const later = await store.create(
        await newApproval(database.db, { expiresAt: new Date(eightPm.getTime() + 1) }),
      );
      const runs = await Promise.all([store.expireDue(eightPm), store.expireDue(eightPm)]);
      const ids = runs.flat().map(({ id }) => id);
      expect(ids.filter((id) => id === due.id)).toHaveLength(1);
      expect(ids).not.toContain(approved.id);
      expect(later).toMatchObject({ state: 'pending' });
      expect(ids).not.toContain(typeof later === 'string' ? later : later.id);
      expect(await store.find(due)).toMatchObject({ state: 'expired', finishedAt: eightPm });
    });
  });

  describe('findStranded', () => {
    it('finds what was decided before, and is still approved or executing', async () => {
      const [asked, approved, executing, ended] = [
        await pending(),
        await pending(),
        await pending(),
        await pending(),
      ];
      for (const request of [approved, executing, ended]) await approve(request, 'U_BEN', noon);
      for (const request of [executing, ended]) await store.begin({ ...request, at: noon });
      await store.finish({
        teamId: ended.teamId,
        id: ended.id,
        to: 'succeeded',
        outcome: 'Done.',
        at: noon,
      });
      const found = (await store.findStranded(onePm)).map(({ id }) => id);
      expect(found).toEqual(expect.arrayContaining([approved.id, executing.id]));
      expect(found).not.toContain(asked.id);
      expect(found).not.toContain(ended.id);
      expect((await store.findStranded(noon)).map(({ id }) => id)).not.toContain(approved.id);
    });
  });
});
