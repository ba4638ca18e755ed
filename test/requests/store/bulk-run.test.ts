import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import type { ApprovalState } from '../../../src/requests/approval-state.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { readRequestBacklog } from '../../../src/requests/store/read-request-backlog.ts';
import { databases } from '../../support/databases.ts';
import { holder, newChildren, workWith } from './bulk-rows.ts';
import { eightPm, noon, onePm, openApprovalStore } from './rows.ts';

describe.each(databases())('the results of a bulk request on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  let work: ReturnType<typeof workWith>;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
    work = workWith(database.db, store);
  });
  afterAll(() => database.close());

  it('ends when all of its users have, with each result', async () => {
    const request = await work.pending(4);
    await work.approve(request);
    await store.tally({ ...request, at: onePm });
    const [one, two, three, four] = await store.listChildren(request);
    if (!one || !two || !three || !four) throw new Error('children are missing');
    await work.run(one, 'completed');
    // Soon, as long as others run: many results take one update.
    const due = (await work.find(request)).wakeAt?.getTime() ?? 0;
    expect(due).toBeGreaterThan(addMinutes(onePm, 1).getTime());
    await work.run(two, 'completed', { isSent: false });
    expect((await work.find(request)).wakeAt?.getTime()).toBe(due);
    expect(await store.tally({ ...request, at: addMinutes(onePm, 2) })).toMatchObject({
      state: 'approved',
      wakeAt: undefined,
      tally: { total: 4, done: 1, unneeded: 1, running: 2 },
    });
    await work.run(three, 'failed');
    await work.run(four, 'voided');
    // The last one makes it due at once.
    expect((await work.find(request)).wakeAt).toEqual(addMinutes(onePm, 1));
    const ended = await store.tally({ ...request, at: addMinutes(onePm, 2) });
    expect(ended).toMatchObject({
      state: 'failed',
      wakeAt: undefined,
      tally: { done: 1, unneeded: 1, failed: 1, voided: 1, running: 0 },
    });
    expect((await work.eventsOf(request)).at(-1)).toBe('failed users.bulk_disable');
    expect(await store.tally({ ...request, at: eightPm })).toBeUndefined();
  });

  it('never runs itself, and its users only once it is approved', async () => {
    const request = await work.pending(1);
    const [child] = await store.listChildren(request);
    if (!child) throw new Error('no child');
    const lease = { holder, until: eightPm };
    const begin = (one: Approval) => store.begin({ ...one, lease, at: addMinutes(onePm, 1) });
    expect(await begin(child)).toBeUndefined();
    await work.approve(request);
    expect(await begin(request)).toBeUndefined();
    expect(await begin(child)).toMatchObject({ state: 'running' });
    expect(await store.subjectsUnderWay({ ...request, id: randomUUID() })).toEqual(['u-0']);
  });

  it('is one request in lists, metrics and sweeps', async () => {
    const request = await work.pending(5);
    const { teamId } = request;
    const open = { teamId, requester: 'U_ANA', at: onePm, limit: 10 };
    expect((await store.listOpen(open)).parsed.map(({ id }) => id)).toEqual([request.id]);
    const before = await readRequestBacklog(database.db, onePm, serveAll);
    await work.approve(request);
    const after = await readRequestBacklog(database.db, onePm, serveAll);
    expect((after.byState.approved ?? 0) - (before.byState.approved ?? 0)).toBe(1);
    const unpublished = await store.findUnpublished({ since: noon, at: onePm });
    const ids = (await store.listChildren(request)).map(({ id }) => id);
    expect(unpublished.some(({ id }) => id === request.id)).toBe(true);
    expect(unpublished.filter(({ id }) => ids.includes(id))).toEqual([]);
    const [child] = ids;
    const claim = { teamId, at: onePm, until: eightPm };
    expect(await store.claimCopies({ ...claim, id: child ?? '' })).toBeUndefined();
    const due = (await store.findDue(onePm)).map(({ id }) => id);
    expect(ids.every((id) => due.includes(id))).toBe(true);
  });

  it('cancels what is scheduled and not yet due, and ends when the rest has', async () => {
    const request = await work.pending(3, {
      action: 'users.bulk_delete',
      step: 'delete',
      children: newChildren(3, 'users.delete'),
    });
    const { teamId, id } = request;
    await work.approve(request);
    const children = await store.listChildren(request);
    for (const [index, child] of children.entries()) {
      const at = addMinutes(onePm, 1);
      const lease = { holder, until: addMinutes(at, 1) };
      await store.begin({ ...child, lease, at });
      await store.markSent({ ...child, lease, at });
      const wakeAt = addMinutes(onePm, index === 0 ? 2 : 30);
      await store.finish({
        teamId,
        id: child.id,
        to: 'scheduled',
        step: 'delete',
        outcome: '',
        holder,
        at,
        wakeAt,
      });
    }
    expect(await store.tally({ teamId, id, at: addMinutes(onePm, 1) })).toMatchObject({
      state: 'scheduled',
      wakeAt: undefined,
      tally: { scheduled: 3, nextAt: addMinutes(onePm, 2) },
    });
    const at = addMinutes(onePm, 3);
    const canceled = await store.cancelAllScheduled({
      teamId,
      id,
      by: 'U_ANA',
      step: 'cancel',
      at,
    });
    expect(canceled).toMatchObject({ canceledBy: 'U_ANA' });
    const states: ApprovalState[] = ['approved', 'approved', 'scheduled'];
    expect((await work.statesOf(request)).toSorted()).toEqual(states);
    // Already due: it is too late for that one.
    expect(
      await store.cancelAllScheduled({ teamId, id, by: 'U_ANA', step: 'cancel', at }),
    ).toBeUndefined();
  });
});
