import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval, NewApproval } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { databases } from '../../support/databases.ts';
import { decideAs, newApproval, newTeamId, noon, onePm, openApprovalStore } from './rows.ts';

describe.each(databases())('the approval store on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  async function pending(): Promise<Approval> {
    const created = await store.create(await newApproval(database.db));
    if (created.result !== 'created') throw new Error(`not created: ${created.result}`);
    return created.approval;
  }
  const approve = (ref: Approval, by = 'U_BEN', at = onePm) =>
    decideAs(store, { teamId: ref.teamId, id: ref.id, to: 'approved', by, mailboxHash: by, at });

  describe('create', () => {
    it('stores the request as given', async () => {
      const asked = await newApproval(database.db);
      const { sourceViewId: _, ...kept } = asked;
      const { postBy: wakeAt, personal: ___, approvers: ____, runs, ...row } = kept;
      const created = await store.create(asked);
      const unseen = { state: 'pending', version: 0 };
      const connectionOriginId = asked.connectionId;
      const [{ personal: _____, ...run }] = runs;
      const approval = {
        ...row,
        ...unseen,
        connectionOriginId,
        wakeAt,
        votes: [],
        runs: [{ ...run, ...unseen, attempts: 0, sent: [] }],
      };
      expect(created).toEqual({ result: 'created', approval });
      expect(await store.find(asked)).toEqual(approval);
    });

    it('stores one request per view, even if it is submitted twenty times concurrently', async () => {
      const asked = await newApproval(database.db);
      const all = await Promise.all(
        Array.from({ length: 20 }, () => store.create({ ...asked, id: randomUUID() })),
      );
      expect(all.filter(({ result }) => result !== 'requested-before')).toHaveLength(1);
    });

    it('refuses a connection that setup has replaced', async () => {
      const asked = await newApproval(database.db);
      await database.db
        .updateTable('connection')
        .set({ replaced_at: noon, token_sealed: null })
        .where('id', '=', asked.connectionId)
        .execute();
      expect(await store.create(asked)).toEqual({ result: 'connection_replaced' });
      expect(await store.find(asked)).toBeUndefined();
    });

    it('accepts the same view id from another workspace', async () => {
      const asked = await newApproval(database.db);
      await store.create(asked);
      const elsewhere = await newApproval(database.db, { sourceViewId: asked.sourceViewId });
      expect(await store.create(elsewhere)).toMatchObject({ result: 'created' });
    });

    it('stores a payload that is a list', async () => {
      const asked = await newApproval(database.db, { payload: ['a', { b: 1 }] });
      expect(await store.create(asked)).toMatchObject({
        approval: { runs: [{ payload: ['a', { b: 1 }] }] },
      });
    });

    describe('of a change that is requested already', () => {
      async function same(
        asked: NewApproval,
        changes: { subjectId?: string } & Partial<NewApproval> = {},
      ) {
        const { runs, ...request } = asked;
        return newApproval(database.db, {
          ...request,
          subjectId: runs[0].subjectId,
          id: randomUUID(),
          sourceViewId: randomUUID(),
          ...changes,
        });
      }

      it('stores one request, even if two people submit it at the same instant', async () => {
        const asked = await newApproval(database.db);
        const both = [asked, await same(asked, { requester: 'U_OTHER' })];
        const created = await Promise.all(both.map((one) => store.create(one)));
        expect(created.map(({ result }) => result).sort()).toEqual(['already-open', 'created']);
        const [first, second] = created.map((one) => 'approval' in one && one.approval.id);
        expect(first).toBe(second);
      });

      it('stores another one for a person who was asked', async () => {
        const asked = await newApproval(database.db);
        await store.create(asked);
        const again = await store.create(await same(asked), { isRepeat: true });
        expect(again).toMatchObject({ result: 'created' });
      });

      it.each<[string, Parameters<typeof same>[1]]>([
        ['on another user', { subjectId: 'u-other' }],
        ['of another kind', { action: 'users.enable' }],
        ['after the first was not posted in time', { requestedAt: onePm }],
      ])('stores one %s', async (_, changes) => {
        const asked = await newApproval(database.db);
        await store.create(asked);
        expect(await store.create(await same(asked, changes))).toMatchObject({ result: 'created' });
      });
    });
  });

  describe('find', () => {
    it('finds nothing with the id of another workspace', async () => {
      const { id } = await pending();
      expect(await store.find({ teamId: newTeamId(), id })).toBeUndefined();
    });
  });

  describe('recordMessage and discard', () => {
    it('records where the request was posted', async () => {
      const { teamId, id } = await pending();
      const placed = await store.recordMessage({
        teamId,
        id,
        channelId: 'C2',
        messageTs: '1.000001',
      });
      expect(placed).toMatchObject({
        state: 'pending',
        channelId: 'C2',
        messageTs: '1.000001',
      });
    });

    it('removes a request that could not be posted', async () => {
      const request = await pending();
      await store.discard({ ...request, at: onePm });
      expect(await store.find(request)).toBeUndefined();
    });

    it('does not discard a request that was posted', async () => {
      const { teamId, id } = await pending();
      await store.recordMessage({ teamId, id, channelId: 'C1', messageTs: '1.000001' });
      await store.discard({ teamId, id, at: onePm });
      expect(await store.find({ teamId, id })).toMatchObject({ state: 'pending' });
    });

    it('does not discard a request that was decided before its message was recorded', async () => {
      const request = await pending();
      await approve(request);
      await store.discard({ ...request, at: onePm });
      expect(await store.find(request)).toMatchObject({ state: 'approved' });
    });

    it('removes nothing of another workspace', async () => {
      const request = await pending();
      await store.discard({ teamId: newTeamId(), id: request.id, at: onePm });
      expect(await store.find(request)).toBeDefined();
    });
  });
});
