import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import type { Approval } from '../../../../src/features/approvals/approval.ts';
import type { ApprovalStore } from '../../../../src/features/approvals/store/approval-store.ts';
import { databases } from '../../../support/databases.ts';
import { newApproval, newTeamId, noon, onePm, openApprovalStore } from './rows.ts';

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
    if (typeof created === 'string') throw new Error(`the request was not created: ${created}`);
    return created;
  }
  const approve = (ref: Approval, by = 'U_BEN', at = onePm) =>
    store.decide({ teamId: ref.teamId, id: ref.id, to: 'approved', by, at });

  describe('create', () => {
    it('stores the request as given', async () => {
      const asked = await newApproval(database.db, { enterpriseId: 'E1' });
      const { sourceViewId: _, enterpriseId: __, organizationalUnitId: ___, ...kept } = asked;
      const { postBy: wakeAt, personal: ____, ...row } = kept;
      const created = await store.create(asked);
      const unseen = { version: 0, renderedVersion: 0, notifiedVersion: 0, attempts: 0 };
      expect(created).toEqual({ ...row, state: 'pending', wakeAt, sent: [], ...unseen });
      expect(await store.find(asked)).toEqual(created);
    });

    it('stores one request per view, even if it is submitted twenty times concurrently', async () => {
      const asked = await newApproval(database.db);
      const all = await Promise.all(
        Array.from({ length: 20 }, () => store.create({ ...asked, id: randomUUID() })),
      );
      expect(all.filter((one) => one !== 'requested-before')).toHaveLength(1);
    });

    it('refuses a connection that setup has replaced', async () => {
      const asked = await newApproval(database.db);
      await database.db
        .updateTable('connection')
        .set({ replaced_at: noon, token_sealed: null })
        .where('id', '=', asked.connectionId)
        .execute();
      expect(await store.create(asked)).toBe('connection-replaced');
      expect(await store.find(asked)).toBeUndefined();
    });

    it('accepts the same view id from another workspace', async () => {
      const asked = await newApproval(database.db);
      await store.create(asked);
      const elsewhere = await newApproval(database.db, { sourceViewId: asked.sourceViewId });
      expect(await store.create(elsewhere)).toMatchObject({ teamId: elsewhere.teamId });
    });

    it('stores a payload that is a list', async () => {
      const asked = await newApproval(database.db, { payload: ['a', { b: 1 }] });
      expect(await store.create(asked)).toMatchObject({ payload: ['a', { b: 1 }] });
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
