import { addMinutes } from 'date-fns/addMinutes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { approvableActions } from '../../../src/features/actions/index.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import type { ApprovalState } from '../../../src/requests/approval-state.ts';
import {
  type ApprovalStore,
  createApprovalStore,
} from '../../../src/requests/store/approval-store.ts';
import { createEraseRequests } from '../../../src/requests/store/erase-requests.ts';
import { createStopRequests } from '../../../src/requests/store/purge-requests.ts';
import { readRequestBacklog } from '../../../src/requests/store/read-request-backlog.ts';
import { databases } from '../../support/databases.ts';
import { waitForLock } from '../../support/wait-for-lock.ts';
import { holder, newRuns, workWith } from './bulk-rows.ts';
import { eightPm, logKeys, noon, onePm, openApprovalStore } from './rows.ts';

describe.each(databases())(
  'the runs of a request about several users on $name',
  ({ name, open }) => {
    let database: OpenDatabase;
    let store: ApprovalStore;
    let work: ReturnType<typeof workWith>;
    beforeAll(async () => {
      database = await open();
      ({ store } = openApprovalStore(database.db));
      work = workWith(database.db, store);
    });
    afterAll(() => database.close());

    const refsOf = ({ teamId, runs }: Approval) => runs.map(({ id }) => ({ teamId, id }));

    it('end it when all of them have, each with its result', async () => {
      const request = await work.pending(4);
      await work.approve(request);
      const [one, two, three, four] = refsOf(request);
      if (!one || !two || !three || !four) throw new Error('runs are missing');
      await work.run(one, 'completed');
      await work.run(two, 'completed', { isSent: false });
      await work.run(three, 'failed');
      expect(await work.find(request)).toMatchObject({ state: 'approved', finishedAt: undefined });
      await work.run(four, 'voided');
      expect(await work.find(request)).toMatchObject({
        state: 'failed',
        finishedAt: addMinutes(onePm, 1),
        runs: [
          { state: 'completed', sent: [{ step: 'disable', attempt: 1 }] },
          { state: 'completed', sent: [] },
          { state: 'failed' },
          { state: 'voided' },
        ],
      });
      // The entry of the request is the last one, after that of its last run.
      expect((await work.eventsOf(request)).slice(-2)).toEqual([
        'voided users.disable',
        'failed users.disable',
      ]);
    });

    it('end it once, even if the last two end at the same instant', async () => {
      const request = await work.pending(2);
      await work.approve(request);
      const refs = refsOf(request);
      for (const ref of refs) {
        const lease = { holder, until: eightPm };
        expect(await store.begin({ ...ref, lease, at: addMinutes(onePm, 1) })).toBeDefined();
      }
      await Promise.all(
        refs.map((ref) =>
          store.finish({ ...ref, to: 'failed', outcome: '', holder, at: addMinutes(onePm, 2) }),
        ),
      );
      expect(await work.find(request)).toMatchObject({ state: 'failed' });
      const events = await work.eventsOf(request);
      expect(events.filter((one) => one === 'failed users.disable')).toHaveLength(3);
    });

    /** The last of two runs, which ends in a transaction that commits when `proceed` is called. */
    async function endingLast() {
      const request = await work.pending(2);
      await work.approve(request);
      const [one, two] = refsOf(request);
      if (!one || !two) throw new Error('runs are missing');
      await work.run(one, 'completed');
      const changing = Promise.withResolvers<void>();
      const waiting = Promise.withResolvers<void>();
      const slow = createApprovalStore(
        database.db,
        {
          append: createAppendEntry(logKeys),
          onEnded: async () => undefined,
          async onChanged() {
            changing.resolve();
            await waiting.promise;
          },
        },
        serveAll,
      );
      const at = addMinutes(onePm, 1);
      await store.begin({ ...two, lease: { holder, until: addMinutes(at, 1) }, at });
      const ended = slow.finish({ ...two, to: 'failed', outcome: '', holder, at });
      await changing.promise;
      return { request, ended, proceed: waiting.resolve };
    }

    // Only PostgreSQL runs two transactions at once.
    it.skipIf(name !== 'PostgreSQL')('are shown as they are after a claim has waited', async () => {
      const { request, ended, proceed } = await endingLast();
      const at = addMinutes(onePm, 1);
      const claimed = store.claimCopies({ ...request, at, until: addMinutes(at, 1) });
      await waitForLock(database.db);
      proceed();
      await ended;
      expect((await claimed)?.approval).toMatchObject({
        state: 'failed',
        runs: [{ state: 'completed' }, { state: 'failed' }],
      });
    });

    it.skipIf(name !== 'PostgreSQL')('are not followed by somebody who waited', async () => {
      const { request, ended, proceed } = await endingLast();
      const at = addMinutes(onePm, 1);
      const followed = store.follow({ ...request, slackUserId: 'U_CLEO', at });
      await waitForLock(database.db);
      proceed();
      await ended;
      expect(await followed).toBeUndefined();
    });

    it("don't wait for one of them that can't be read", async () => {
      const request = await work.pending(2);
      await work.approve(request);
      const [damaged, other] = refsOf(request);
      if (!damaged || !other) throw new Error('runs are missing');
      await sql`update run set checks = '[{}]' where id = ${damaged.id}`.execute(database.db);
      expect(await work.run(other, 'completed')).toMatchObject({ runs: [{ state: 'completed' }] });
      await sql`update run set checks = '[]' where id = ${damaged.id}`.execute(database.db);
      await work.run(damaged, 'completed');
      expect(await work.find(request)).toMatchObject({ state: 'completed' });
    });

    it('make due only what has changed', async () => {
      const { store: own, changed } = openApprovalStore(database.db);
      const { pending, approve, run } = workWith(database.db, own);
      const request = await pending(3);
      await approve(request);
      expect(changed.at(-1)?.runs).toHaveLength(3);
      const [first] = refsOf(request);
      if (!first) throw new Error('no run');
      await run(first, 'completed');
      expect(changed.at(-1)).toMatchObject({ id: request.id, runs: [{ id: first.id }] });
    });

    it('are erased one by one, and what all of them share at the end', async () => {
      const runs = newRuns(2);
      const named = { fullName: 'Kim Lee', email: 'kim@example.com' };
      for (const run of runs) run.payload = { id: run.subjectId, ...named };
      const request = await work.pending(2, { runs });
      await work.approve(request);
      const [one, two] = refsOf(request);
      if (!one || !two) throw new Error('runs are missing');
      const erase = createEraseRequests(approvableActions);
      const eraseEntriesOf = async ({ teamId, id }: { teamId: string; id: string }) => {
        const rows = await database.db
          .selectFrom('audit_log')
          .select('seq')
          .where('team_id', '=', teamId)
          .where('approval_id', '=', id)
          .execute();
        const entries = rows.map(({ seq }) => seq);
        await database.db.transaction().execute((trx) => erase(trx, { teamId, entries }));
      };
      await work.run(one, 'completed');
      await eraseEntriesOf(one);
      await eraseEntriesOf(two);
      const half = await work.find(request);
      expect(half).toMatchObject({
        reason: 'left the company',
        runs: [{ snapshot: undefined }, { payload: named }],
      });
      expect(half.runs[0].payload).not.toHaveProperty('fullName');
      await work.run(two, 'completed');
      await eraseEntriesOf(two);
      const all = await work.find(request);
      expect(all.reason).toBe('[erased]');
      expect(all.runs[1]?.payload).not.toHaveProperty('fullName');
    });

    it('end with the workspace, each and the request with an entry', async () => {
      const request = await work.pending(2);
      const { teamId } = request;
      await work.approve(request);
      const [first] = refsOf(request);
      if (!first) throw new Error('no run');
      await work.run(first, 'completed');
      const ended = { state: 'voided', finishedAt: addMinutes(onePm, 2) };
      const waiting = await work.pending(2, { teamId, connectionId: request.connectionId });
      const stop = createStopRequests(createAppendEntry(logKeys));
      await database.db
        .transaction()
        .execute((trx) => stop(trx, { teamId, at: addMinutes(onePm, 2) }));
      expect(await work.find(request)).toMatchObject({ runs: [{ state: 'completed' }, ended] });
      expect(await work.find(waiting)).toMatchObject({ ...ended, runs: [ended, ended] });
      // Of one run and its request, and of two runs and theirs.
      expect((await work.eventsOf(request)).slice(-6)).toEqual([
        'requested users.disable',
        ...Array(5).fill('voided users.disable'),
      ]);
    });

    it('start only once it is approved', async () => {
      const request = await work.pending(2);
      const [run] = refsOf(request);
      if (!run) throw new Error('no run');
      const lease = { holder, until: eightPm };
      const begin = () => store.begin({ ...run, lease, at: addMinutes(onePm, 1) });
      expect(await begin()).toBeUndefined();
      await work.approve(request);
      expect(await store.begin({ ...request, lease, at: addMinutes(onePm, 1) })).toBeUndefined();
      expect(await begin()).toMatchObject({
        id: request.id,
        runs: [{ id: run.id, state: 'running' }],
      });
      const { teamId, connectionId, id } = request;
      expect(await store.subjectsUnderWay({ teamId, connectionId, id })).toEqual(['u-0']);
      expect(await store.subjectsUnderWay({ ...run, connectionId })).toEqual([]);
    });

    it('are due one by one, and one request in lists and metrics', async () => {
      const request = await work.pending(5);
      const { teamId } = request;
      const open = { teamId, slackUserId: 'U_ANA', at: onePm, limit: 10 };
      expect((await store.listOpen(open)).parsed.map(({ id }) => id)).toEqual([request.id]);
      const before = await readRequestBacklog(database.db, onePm, serveAll);
      await work.approve(request);
      const after = await readRequestBacklog(database.db, onePm, serveAll);
      expect((after.byState.approved ?? 0) - (before.byState.approved ?? 0)).toBe(1);
      const unpublished = await store.findUnpublished({ since: noon, at: onePm });
      expect(unpublished.some(({ id }) => id === request.id)).toBe(true);
      const due = (await store.findDue(onePm)).map(({ of, id }) => `${of} ${id}`);
      expect(request.runs.every(({ id }) => due.includes(`run ${id}`))).toBe(true);
    });

    it('are canceled while they are scheduled and not yet due', async () => {
      const request = await work.pending(3, { action: 'users.delete' });
      const { teamId, runs } = request;
      await work.approve(request);
      for (const [index, { id }] of runs.entries()) {
        const at = addMinutes(onePm, 1);
        const ref = { teamId, id };
        await store.begin({ ...ref, lease: { holder, until: addMinutes(at, 1) }, at });
        const wakeAt = addMinutes(onePm, index === 0 ? 2 : 30);
        const ending = { to: 'scheduled' as const, step: 'delete', outcome: '', wakeAt };
        await store.finish({ ...ref, ...ending, holder, at });
      }
      expect(await work.find(request)).toMatchObject({ state: 'scheduled', finishedAt: undefined });
      const cancellation = {
        teamId,
        id: request.id,
        by: 'U_ANA',
        firstStep: 'disable',
        step: 'cancel',
        at: addMinutes(onePm, 3),
      };
      expect(await store.cancelScheduled(cancellation)).toBe(true);
      const states: ApprovalState[] = ['approved', 'approved', 'scheduled'];
      expect((await work.statesOf(request)).toSorted()).toEqual(states);
      // Already due: it is too late for that one.
      expect(await store.cancelScheduled(cancellation)).toBe(false);
    });

    it('end when they are canceled before their first step has sent anything', async () => {
      const request = await work.pending(4, { action: 'users.delete' });
      const { teamId, id, runs } = request;
      await work.approve(request);
      const at = addMinutes(onePm, 1);
      const until = addMinutes(at, 1);
      const [scheduled, running, retried] = runs;
      for (const run of [scheduled, running, retried]) {
        if (!run) throw new Error('a run is missing');
        await store.begin({ teamId, id: run.id, lease: { holder, until }, at });
      }
      const wakeAt = addMinutes(onePm, 30);
      const ending = { teamId, outcome: '', wakeAt, holder, at };
      await store.finish({ ...ending, id: scheduled.id, to: 'scheduled', step: 'delete' });
      await store.finish({ ...ending, id: retried?.id ?? '', to: 'approved', sent: [] });

      const cancellation = { teamId, id, by: 'U_ANA', firstStep: 'disable', step: 'cancel', at };
      expect(await store.cancelScheduled(cancellation)).toBe(true);
      expect((await work.find(request)).runs).toMatchObject([
        { state: 'approved', step: 'cancel', canceledBy: 'U_ANA', wakeAt: at },
        // It can be canceled once it is scheduled.
        { state: 'running', step: 'disable', canceledBy: undefined },
        { state: 'canceled', step: 'disable', canceledBy: 'U_ANA', wakeAt: undefined },
        { state: 'canceled', step: 'disable', canceledBy: 'U_ANA', finishedAt: at },
      ]);
      const events = await work.eventsOf(request);
      expect(events.slice(-3).toSorted()).toEqual([
        'canceled users.delete',
        'canceled users.delete',
        'cancellation_requested users.delete',
      ]);
      expect(await store.cancelScheduled(cancellation)).toBe(false);
    });
  },
);
