import { randomUUID } from 'node:crypto';
import { subHours } from 'date-fns/subHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval, NewChild } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import {
  createRepublishPending,
  createVoidWaiting,
} from '../../../src/requests/store/change-approval.ts';
import { databases } from '../../support/databases.ts';
import { ben, holder, newChildren, workWith } from './bulk-rows.ts';
import { eightPm, logKeys, newApproval, onePm, openApprovalStore, pendingRequest } from './rows.ts';

describe.each(databases())('the decision of a bulk request on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  let work: ReturnType<typeof workWith>;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
    work = workWith(database.db, store);
  });
  afterAll(() => database.close());

  it('is decided once, and each user gets the decision, with their own entry', async () => {
    const request = await work.pending(3);
    expect(request.tally).toMatchObject({ total: 3 });
    expect(await work.statesOf(request)).toEqual(['pending', 'pending', 'pending']);
    const [child] = await store.listChildren(request);
    // A child alone can neither be started nor be due.
    expect(child).toMatchObject({ wakeAt: undefined, parentId: request.id, messageTs: undefined });

    const approved = await work.approve(request, { reason: 'fine' });
    expect(approved).toMatchObject({ state: 'approved' });
    const children = await store.listChildren(request);
    expect(children.map(({ state, decidedBy }) => [state, decidedBy])).toEqual(
      Array.from({ length: 3 }, () => ['approved', 'U_BEN']),
    );
    for (const { wakeAt, votes } of children) {
      expect(wakeAt).toEqual(onePm);
      expect(votes).toMatchObject([{ by: 'U_BEN' }]);
      expect(votes[0]?.comment).toBeUndefined();
    }
    expect(await work.approve(request)).toBeUndefined();
    const events = await work.eventsOf(request);
    expect(events.filter((one) => one === 'requested users.disable')).toHaveLength(3);
    expect(events.filter((one) => one === 'approved users.disable')).toHaveLength(3);
    expect(events.filter((one) => one.endsWith('users.bulk_disable'))).toHaveLength(2);
  });

  it('starts a few users per second', async () => {
    const request = await work.pending(12);
    await work.approve(request);
    const times = (await store.listChildren(request)).map(({ wakeAt }) =>
      wakeAt ? wakeAt.getTime() - onePm.getTime() : -1,
    );
    expect(times.toSorted((one, other) => one - other)).toEqual([
      ...[0, 0, 0, 0, 0, 1000, 1000, 1000, 1000, 1000, 2000, 2000],
    ]);
  });

  it.each([
    [
      'denied',
      (request: Approval) => store.decide({ ...request, to: 'denied', ...ben, at: onePm }),
    ],
    [
      'withdrawn',
      (request: Approval) =>
        store.decide({ ...request, to: 'withdrawn', ...ben, by: 'U_REQUESTER', at: onePm }),
    ],
    ['expired', (request: Approval) => store.expire({ ...request, at: eightPm })],
  ] as const)('ends all of its users when it is %s', async (state, end) => {
    const request = await work.pending(2);
    expect(await end(request)).toMatchObject({ state });
    expect(await work.statesOf(request)).toEqual([state, state]);
    expect(await store.begin({ ...request, lease: { holder, until: eightPm }, at: eightPm })).toBe(
      undefined,
    );
  });

  it('is discarded with its users when it could not be posted, and voided when Belay died', async () => {
    const { teamId } = await work.pending(1);
    const [first, second] = [newChildren(2), newChildren(2)];
    const base = await newApproval(database.db);
    const create = (children: NewChild[]) =>
      store.create({
        ...base,
        id: randomUUID(),
        sourceViewId: randomUUID(),
        subjectId: randomUUID(),
        children,
        action: 'users.bulk_disable',
      });
    const lost = await create(first);
    if (lost.result !== 'created') throw new Error(lost.result);
    await store.discard({ teamId: base.teamId, id: lost.approval.id, at: onePm });
    expect(await store.listChildren(lost.approval)).toEqual([]);
    const unposted = await create(second);
    if (unposted.result !== 'created') throw new Error(unposted.result);
    await store.voidUnposted({ ...unposted.approval, outcome: 'Not posted.', at: onePm });
    expect(await work.statesOf(unposted.approval)).toEqual(['voided', 'voided']);
    expect(teamId).not.toBe(base.teamId);
  });

  it('counts each of its users once toward the limit, with those of other requests', async () => {
    const single = await pendingRequest(database.db, store, { subjectId: 'u-0' });
    const { teamId, connectionId } = single;
    const request = await work.pending(3, { teamId, connectionId });
    const limit = (max: number) => ({
      max,
      actions: ['users.disable', 'users.delete', 'users.bulk_disable'],
      since: subHours(onePm, 1),
    });
    const users = ['u-0', 'u-1', 'u-2'];
    expect(await store.countTowardsLimit(teamId, users, limit(3))).toEqual({
      added: 3,
      counted: 0,
    });
    await work.approve(single);
    // u-0 is in both.
    expect(await store.countTowardsLimit(teamId, users, limit(3))).toEqual({
      added: 2,
      counted: 1,
    });
    expect(await work.approve(request, { limit: limit(2) })).toBe('limit_reached');
    expect(await work.statesOf(request)).toEqual(['pending', 'pending', 'pending']);
    expect(await work.approve(request, { limit: limit(3) })).toMatchObject({ state: 'approved' });
    const other = await pendingRequest(database.db, store, { teamId, connectionId });
    expect(await work.approve(other, { limit: limit(3) })).toBe('limit_reached');
    expect(await work.approve(other, { limit: limit(4) })).toMatchObject({ state: 'approved' });
  });

  it('is found as the open request about each of its users', async () => {
    const request = await work.pending(2);
    const { teamId, connectionId } = request;
    const change = { teamId, connectionId, action: 'users.disable', at: onePm };
    expect(await store.findOpen({ ...change, subjectId: 'u-1' })).toMatchObject({ id: request.id });
    const subjectIds = ['u-0', 'u-1', 'u-2'];
    expect(await store.findOpenSubjects({ ...change, subjectIds })).toEqual(
      new Set(['u-0', 'u-1']),
    );
    const same = await newApproval(database.db, { teamId, connectionId, subjectId: 'u-0' });
    expect(await store.create(same)).toMatchObject({
      result: 'already-open',
      approval: { id: request.id },
    });
  });

  it('is void with all of its users when its connection or its action is voided', async () => {
    const hooks = {
      onChanged: async () => undefined,
      onEnded: async () => undefined,
    };
    const append = createAppendEntry(logKeys);
    const request = await work.pending(2);
    const { teamId, connectionId: originId } = request;
    const change = { teamId, by: 'U_ADMIN', at: onePm, append, originId };
    await database.db.transaction().execute(async (trx) => {
      await createRepublishPending(hooks)(trx, teamId);
      expect(await createVoidWaiting(hooks)(trx, change)).toEqual([{ teamId, id: request.id }]);
    });
    expect(await work.statesOf(request)).toEqual(['voided', 'voided']);
    expect((await work.find(request)).version).toBe(2);
  });
});
