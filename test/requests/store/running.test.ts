import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval, ApprovalRef, Ending } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { databases } from '../../support/databases.ts';
import { decideAs, eightPm, onePm, openApprovalStore, pendingRequest } from './rows.ts';

const lease = { holder: 'one', until: addMinutes(onePm, 1) };
const afterLease = addMinutes(onePm, 2);

describe.each(databases())('running on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  let changed: Approval[];
  let commits: Approval[][];
  beforeAll(async () => {
    database = await open();
    ({ store, changed, commits } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  const pending = () => pendingRequest(database.db, store);
  async function approved(): Promise<Approval> {
    const { teamId, id } = await pending();
    const decided = await decideAs(store, {
      teamId,
      id,
      to: 'approved',
      by: 'U_BEN',
      mailboxHash: 'U_BEN',
      at: onePm,
    });
    if (!decided || typeof decided === 'string') throw new Error('it was not approved');
    return decided;
  }
  async function runningRequest(): Promise<Approval> {
    const begun = await store.begin({ ...(await approved()), lease, at: onePm });
    if (!begun) throw new Error('it did not begin');
    return begun;
  }
  const ending = ({ teamId, id }: Approval, to: 'completed' | 'failed' | 'outcome_unknown') => ({
    teamId,
    id,
    to,
    outcome: 'Done.',
    at: onePm,
    wakeAt: undefined,
  });
  const scheduled = async () => {
    const { teamId, id } = await runningRequest();
    const common = { teamId, id, outcome: '', at: onePm, holder: 'one' };
    await store.finish({ ...common, to: 'scheduled', step: 'delete', wakeAt: eightPm });
    return { teamId, id };
  };

  it('begins an approved request once, even if called twenty times concurrently', async () => {
    const request = await pending();
    expect(await store.begin({ ...request, lease, at: onePm })).toBeUndefined();
    const ready = await approved();
    const begun = await Promise.all(
      Array.from({ length: 20 }, () => store.begin({ ...ready, lease, at: onePm })),
    );
    expect(begun.filter(Boolean)).toEqual([
      expect.objectContaining({
        state: 'running',
        runs: [expect.objectContaining({ state: 'running', attempts: 1 })],
      }),
    ]);
  });

  it.each(['completed', 'failed', 'outcome_unknown'] as const)(
    'finishes it as %s, once',
    async (to) => {
      const ready = await approved();
      expect(await store.finish({ ...ending(ready, to), holder: 'one' })).toBeUndefined();
      await store.begin({ ...ready, lease, at: onePm });
      expect(await store.finish({ ...ending(ready, to), holder: 'another' })).toBeUndefined();
      const ended = await store.finish({ ...ending(ready, to), holder: 'one' });
      expect(ended).toMatchObject({
        state: to,
        finishedAt: onePm,
        runs: [{ state: to, outcome: 'Done.', finishedAt: onePm }],
      });
      expect(await store.find(ready)).toEqual(ended);
    },
  );

  it('renews a lease only for its holder, until it expires', async () => {
    const begun = await runningRequest();
    const longer = { holder: 'one', until: eightPm };
    const renew = (holder: string, at: Date) =>
      store.renewLease({ ...begun, lease: { ...longer, holder }, at });
    expect(await renew('another', onePm)).toBe(false);
    expect(await renew('one', afterLease)).toBe(false);
    expect(await renew('one', onePm)).toBe(true);
    expect(await store.find(begun)).toMatchObject({
      version: begun.version,
      runs: [{ sent: [], wakeAt: eightPm }],
    });
    await store.finish({ ...ending(begun, 'failed'), holder: 'one' });
    expect(await renew('one', onePm)).toBe(false);
  });

  it('never shortens a lease, as two renewals at once may commit in either order', async () => {
    const begun = await runningRequest();
    const renew = (until: Date) =>
      store.renewLease({ ...begun, lease: { holder: 'one', until }, at: onePm });
    await renew(eightPm);
    expect(await renew(afterLease)).toBe(true);
    expect(await store.find(begun)).toMatchObject({ runs: [{ wakeAt: eightPm }] });
  });

  it('records which attempts may have sent a change, only under the lease', async () => {
    const begun = await runningRequest();
    const mark = (holder: string, at: Date) =>
      store.markSent({ ...begun, lease: { holder, until: addMinutes(at, 1) }, at });
    const sentOf = async () => (await store.find(begun))?.runs[0].sent;
    expect(await mark('another', onePm)).toBe(false);
    expect(await mark('one', afterLease)).toBe(false);
    expect(await sentOf()).toEqual([]);
    expect(await mark('one', onePm)).toBe(true);
    expect(await sentOf()).toEqual([{ step: 'disable', attempt: 1 }]);

    await store.markOutcomeUnknown({ ...begun, outcome: '', at: afterLease, wakeAt: afterLease });
    expect(await mark('one', afterLease)).toBe(false);
    const next = { holder: 'two', until: eightPm };
    await store.begin({ ...begun, lease: next, at: afterLease });
    expect(await mark('one', afterLease)).toBe(false);
    const sent = [1, 2].map((attempt) => ({ step: 'disable', attempt }));
    expect(await mark('two', afterLease)).toBe(true);
    expect(await sentOf()).toEqual(sent);
  });

  it('marks the outcome unknown only when the lease has expired', async () => {
    const begun = await runningRequest();
    const lost = { ...begun, outcome: 'Interrupted.', wakeAt: eightPm };
    expect(await store.markOutcomeUnknown({ ...lost, at: onePm })).toBeUndefined();
    expect(await store.markOutcomeUnknown({ ...lost, at: afterLease })).toMatchObject({
      state: 'outcome_unknown',
      runs: [{ state: 'outcome_unknown', wakeAt: eightPm }],
    });
  });

  it('accepts a late result from the holder, unless another process took over', async () => {
    const [late, replaced] = [await runningRequest(), await runningRequest()];
    const lost = { outcome: '', wakeAt: afterLease, at: afterLease };
    for (const one of [late, replaced]) await store.markOutcomeUnknown({ ...one, ...lost });
    const result = (one: Approval) => store.finish({ ...ending(one, 'completed'), holder: 'one' });
    expect(await result(late)).toMatchObject({ state: 'completed' });

    const next = { holder: 'two', until: eightPm };
    const again = await store.begin({ ...replaced, lease: next, at: afterLease });
    expect(again).toMatchObject({ state: 'running', runs: [{ attempts: 2 }] });
    expect(await result(replaced)).toBeUndefined();
  });

  it('settles an unknown outcome, and nothing else', async () => {
    const begun = await runningRequest();
    const found: Ending = ending(begun, 'completed');
    const [{ version: seenVersion }] = begun.runs;
    expect(await store.settle({ ...found, seenVersion })).toBeUndefined();
    await store.finish({ ...ending(begun, 'outcome_unknown'), holder: 'one' });
    // What was found out before may be about an earlier attempt.
    expect(await store.settle({ ...found, seenVersion })).toBeUndefined();
    const settled = await store.settle({ ...found, seenVersion: seenVersion + 1 });
    expect(settled).toMatchObject({ state: 'completed' });
  });

  it('follows a task without a lease, and logs only that the service accepted the change', async () => {
    const begun = await runningRequest();
    const [{ step, version }] = begun.runs;
    const { to: _, ...facts } = ending(begun, 'failed');
    const sent = [{ step, attempt: 1, taskId: '12' }];
    const accepted = { ...facts, to: 'running', taskId: '12', sent, wakeAt: onePm } as const;
    await store.finish({ ...accepted, holder: 'one' });
    const { teamId, id } = begun;
    const progress = { teamId, id, outcome: '50%', at: onePm, wakeAt: eightPm };
    expect(await store.recordProgress({ ...progress, seenVersion: version })).toBe(false);
    expect(await store.recordProgress({ ...progress, seenVersion: version + 1 })).toBe(true);
    expect((await store.find(begun))?.runs).toMatchObject([
      { state: 'running', outcome: '50%', wakeAt: eightPm, sent },
    ]);
    const done = { ...ending(begun, 'completed'), createdId: 'v2', seenVersion: version + 2 };
    expect(await store.settle(done)).toMatchObject({ state: 'completed' });
    const entries = await database.db
      .selectFrom('audit_log')
      .select(['event', 'facts'])
      .where('approval_id', '=', id)
      .orderBy('seq')
      .execute();
    expect(entries.slice(-2)).toMatchObject([
      { event: 'accepted', facts: { step, task: '12' } },
      { event: 'completed' },
    ]);
  });

  describe('between two steps', () => {
    it('begins the next step when it is due, and not before', async () => {
      const ref = await scheduled();
      const begin = (at: Date) => store.begin({ ...ref, lease, at });
      expect(await begin(onePm)).toBeUndefined();
      expect(await begin(eightPm)).toMatchObject({
        state: 'running',
        runs: [{ step: 'delete' }],
      });
    });

    it('can be canceled until then, by one of several people who try concurrently', async () => {
      const ref = await scheduled();
      const cancel = ({ teamId, id }: ApprovalRef, by: string, at: Date) =>
        store.cancelScheduled({ teamId, id, firstStep: 'disable', step: 'cancel', by, at });
      const stopped = await Promise.all(['U_BEN', 'U_CLEO'].map((by) => cancel(ref, by, onePm)));
      expect(stopped.filter(Boolean)).toEqual([true]);
      expect((await store.find(ref))?.runs).toMatchObject([
        { state: 'approved', step: 'cancel', attempts: 0, wakeAt: onePm },
      ]);
      expect(await cancel(await scheduled(), 'U_BEN', eightPm)).toBe(false);
    });
  });

  it('finds due requests, and the subjects of running requests', async () => {
    const begun = await runningRequest();
    const { connectionId } = begun;
    const {
      teamId,
      id,
      runs: [{ version }],
    } = begun;
    const due = { of: 'run', teamId, id, approvalId: id, version, traceparent: undefined };
    expect(await store.findDue(onePm)).not.toContainEqual(due);
    expect(await store.findDue(afterLease)).toContainEqual(due);
    const other = { teamId: begun.teamId, id: crypto.randomUUID(), connectionId };
    expect(await store.subjectsUnderWay(other)).toEqual([begun.runs[0].subjectId]);
    expect(await store.subjectsUnderWay(begun)).toEqual([]);
    expect(await store.subjectsUnderWay({ ...other, teamId: 'T_OTHER' })).toEqual([]);
  });

  it('starts and reschedules nothing for a process that has seen an earlier version', async () => {
    const request = await approved();
    const seenVersion = request.version - 1;
    expect(await store.begin({ ...request, lease, at: onePm, seenVersion })).toBeUndefined();
    const begun = await store.begin({ ...request, lease, at: onePm, seenVersion: request.version });
    if (!begun) throw new Error('not begun');
    const unknown = { outcome: 'Interrupted.', wakeAt: afterLease };
    const marked = await store.markOutcomeUnknown({ ...begun, ...unknown, at: afterLease });
    await store.rescheduleCheck({ ...begun, seenVersion: begun.version, wakeAt: eightPm });
    const late = { ...begun, seenVersion: begun.version, at: afterLease };
    expect(await store.giveUp(late)).toBeUndefined();
    expect(await store.find(begun)).toEqual(marked);
  });

  it('reports every change of state, in its transaction and once it is committed', async () => {
    const before = commits.length;
    const begun = await runningRequest();
    await store.finish({ ...ending(begun, 'failed'), holder: 'one' });
    expect(commits.slice(before)).toEqual(changed.slice(-5).map((one) => [one]));
    const states = changed.filter(({ id }) => id === begun.id).map(({ state }) => state);
    expect(states).toEqual(['pending', 'pending', 'approved', 'running', 'failed']);
  });

  it('logs every change of state in order', async () => {
    const begun = await runningRequest();
    await store.finish({ ...ending(begun, 'failed'), holder: 'one' });
    const rows = await database.db
      .selectFrom('audit_log')
      .select(['seq', 'event', 'actor'])
      .where('approval_id', '=', begun.id)
      .orderBy('seq')
      .execute();
    expect(rows).toEqual([
      { seq: 1, event: 'requested', actor: 'U_REQUESTER' },
      { seq: 2, event: 'approved', actor: 'U_BEN' },
      { seq: 3, event: 'started', actor: null },
      { seq: 4, event: 'failed', actor: null },
    ]);
  });
});
