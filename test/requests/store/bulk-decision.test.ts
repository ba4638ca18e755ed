import { randomUUID } from 'node:crypto';
import { subHours } from 'date-fns/subHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval, NewApproval } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { createRepublishPending } from '../../../src/requests/store/republish-pending.ts';
import { createVoidWaiting } from '../../../src/requests/store/void-waiting.ts';
import { databases } from '../../support/databases.ts';
import { ben, holder, newRuns, workWith } from './bulk-rows.ts';
import { eightPm, logKeys, newApproval, onePm, openApprovalStore, pendingRequest } from './rows.ts';

describe.each(databases())('the decision of a request about several users on $name', ({ open }) => {
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
    expect(request.runs).toHaveLength(3);
    // None of them can be started or is due.
    for (const run of request.runs) {
      expect(run).toMatchObject({ state: 'pending', wakeAt: undefined });
    }

    const approved = await work.approve(request, { reason: 'fine' });
    expect(approved).toMatchObject({ state: 'approved' });
    const { runs, decidedBy } = await work.find(request);
    expect(decidedBy).toBe('U_BEN');
    expect(runs.map(({ state, wakeAt }) => [state, wakeAt])).toEqual(
      Array.from({ length: 3 }, () => ['approved', onePm]),
    );
    expect(await work.approve(request)).toBeUndefined();
    const events = await work.eventsOf(request);
    // One for the request, and one for each user.
    expect(events.filter((one) => one === 'requested users.disable')).toHaveLength(4);
    expect(events.filter((one) => one === 'approved users.disable')).toHaveLength(4);
  });

  it('starts a few users per second', async () => {
    const request = await work.pending(12);
    await work.approve(request);
    const times = (await work.find(request)).runs.map(({ wakeAt }) =>
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
    for (const { id } of request.runs) {
      const begun = { teamId: request.teamId, id, lease: { holder, until: eightPm }, at: eightPm };
      expect(await store.begin(begun)).toBeUndefined();
    }
  });

  it('is discarded with its users when it could not be posted, and voided when Belay died', async () => {
    const base = await newApproval(database.db);
    const create = (runs: NewApproval['runs']) =>
      store.create({ ...base, id: randomUUID(), sourceViewId: randomUUID(), runs });
    const lost = await create(newRuns(2));
    if (lost.result !== 'created') throw new Error(lost.result);
    await store.discard({ teamId: base.teamId, id: lost.approval.id, at: onePm });
    expect(await store.findRun({ teamId: base.teamId, id: lost.approval.runs[0].id })).toBe(
      undefined,
    );
    const unposted = await create(newRuns(2));
    if (unposted.result !== 'created') throw new Error(unposted.result);
    await store.voidUnposted({ ...unposted.approval, outcome: 'Not posted.', at: onePm });
    expect(await work.statesOf(unposted.approval)).toEqual(['voided', 'voided']);
  });

  it('counts each of its users once toward the limit, with those of other requests', async () => {
    const single = await pendingRequest(database.db, store, { subjectId: 'u-0' });
    const { teamId, connectionId } = single;
    const request = await work.pending(3, { teamId, connectionId });
    const limit = (max: number) => ({
      max,
      actions: ['users.disable', 'users.delete'],
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

  it('counts users who are invited again, by their earlier ids, but no new users', async () => {
    const action = 'users.invite';
    const invite = (payload: object) =>
      pendingRequest(database.db, store, { action, payload, teamId, connectionId });
    const { teamId, connectionId } = await work.pending(1);
    const limit = {
      max: 2,
      since: subHours(onePm, 1),
      actions: ['users.disable', 'users.delete'],
      replacing: [action],
    };
    await work.approve(await invite({}));
    const again = await invite({ replaces: 'u-7' });
    await work.approve(again);
    const { id } = again.runs[0];
    await database.db.updateTable('run').set({ subject_id: 'u-8' }).where('id', '=', id).execute();
    const counted = await store.countTowardsLimit(teamId, ['u-7', 'u-8'], limit);
    expect(counted).toEqual({ added: 1, counted: 1 });
    await work.approve(await invite({ replaces: 'u-8' }), { limit });
    expect(await work.approve(await invite({ replaces: 'u-9' }), { limit })).toBe('limit_reached');
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
    // Republished, and voided.
    expect((await work.find(request)).version).toBe(2);
  });
});
