import { addSeconds } from 'date-fns/addSeconds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import {
  createPurgeRequests,
  createStopRequests,
} from '../../../src/requests/store/purge-requests.ts';
import { disconnect } from '../../../src/workspace/store/purge-workspace.ts';
import { databases } from '../../support/databases.ts';
import { logKeys, newApproval, noon, openApprovalStore, pendingRequest } from './rows.ts';

const append = createAppendEntry(logKeys);
const at = addSeconds(noon, 10);
const lease = { holder: 'h1', until: addSeconds(noon, 30) };

describe.each(databases())('requests of a workspace that uninstalls Belay on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const inTransaction = <T>(
    work: (
      trx: Parameters<Parameters<ReturnType<OpenDatabase['db']['transaction']>['execute']>[0]>[0],
    ) => Promise<T>,
  ) => database.db.transaction().execute(work);

  /** A request of a new workspace in this state, and its store. */
  async function requestIn(
    state: 'pending' | 'approved' | 'running' | 'sent' | 'unknown' | 'followed',
  ) {
    const { db } = database;
    const { store } = openApprovalStore(db);
    const approval = await pendingRequest(db, store);
    const ref = { teamId: approval.teamId, id: approval.id };
    if (state !== 'pending') {
      await db
        .updateTable('approval')
        .set({ state: 'approved', wake_at: null, decided_at: noon })
        .where('id', '=', approval.id)
        .execute();
      await db
        .updateTable('run')
        .set({ state: 'approved', wake_at: noon })
        .where('id', '=', approval.id)
        .execute();
    }
    if (state !== 'pending' && state !== 'approved') {
      await store.begin({ ...ref, lease, at: noon });
    }
    if (state === 'sent' || state === 'unknown' || state === 'followed') {
      await store.markSent({ ...ref, lease, at: noon });
    }
    if (state === 'followed') {
      const sent = [{ step: 'disable', attempt: 1, taskId: '12' }];
      const accepted = { to: 'running', outcome: 'Task 12.', taskId: '12', sent } as const;
      const { holder } = lease;
      await store.finish({ ...ref, ...accepted, at: noon, holder, wakeAt: addSeconds(at, 60) });
    }
    if (state === 'unknown') {
      const unknown = { outcome: 'Interrupted.', wakeAt: addSeconds(at, 60) };
      await store.markOutcomeUnknown({ ...ref, ...unknown, at: addSeconds(noon, 40) });
    }
    return { store, ref, approval };
  }

  const lastEntry = async ({ teamId }: Pick<Approval, 'teamId'>) => {
    const { event, facts } = await database.db
      .selectFrom('audit_log')
      .select(['event', 'facts'])
      .where('team_id', '=', teamId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return `${event} ${facts.reason ?? ''}`.trim();
  };

  const stop = (teamId: string) =>
    inTransaction((trx) => createStopRequests(append)(trx, { teamId, at }));
  const purge = (teamId: string, now = at) =>
    inTransaction((trx) => createPurgeRequests(append)(trx, { teamId, at: now }));

  it.each([
    ['pending', 'voided', 'voided uninstalled'],
    ['approved', 'voided', 'voided uninstalled'],
    ['running', 'voided', 'voided uninstalled'],
    ['unknown', 'outcome_unknown', 'outcome_unknown uninstalled'],
    ['followed', 'outcome_unknown', 'outcome_unknown uninstalled'],
    ['sent', 'running', 'started'],
  ] as const)('ends a %s one as %s', async (state, ended, entry) => {
    const { store, ref } = await requestIn(state);
    await stop(ref.teamId);
    const found = await store.find(ref);
    expect(found?.state).toBe(ended);
    expect(found?.wakeAt).toBeUndefined();
    if (state !== 'sent') expect(found?.runs[0].wakeAt).toBeUndefined();
    expect(await lastEntry(ref)).toBe(entry);
    expect(await store.begin({ ...ref, lease, at: addSeconds(at, 3600) })).toBeUndefined();
  });

  it('takes the lease from a process that is about to send a change', async () => {
    const { store, ref } = await requestIn('running');
    await stop(ref.teamId);
    expect(await store.markSent({ ...ref, lease, at })).toBe(false);
  });

  it('waits for a change that is being sent, and records its result', async () => {
    const { store, ref } = await requestIn('sent');
    await stop(ref.teamId);
    expect(await purge(ref.teamId)).toBe('waiting');
    const ending = { to: 'completed' as const, outcome: 'Done.', at };
    expect(await store.finish({ ...ref, ...ending, holder: 'h1' })).toMatchObject({
      state: 'completed',
    });
    expect(await lastEntry(ref)).toBe('completed');
    expect(await purge(ref.teamId)).toBe('more');
    expect(await purge(ref.teamId)).toBe('done');
    expect(await store.find(ref)).toBeUndefined();
  });

  it('voids the next step of a change that was being sent', async () => {
    const { store, ref } = await requestIn('sent');
    await stop(ref.teamId);
    const ending = { to: 'scheduled' as const, step: 'delete', wakeAt: at, outcome: '', at };
    await store.finish({ ...ref, ...ending, holder: 'h1' });
    await purge(ref.teamId);
    expect(await lastEntry(ref)).toBe('voided uninstalled');
  });

  it('leaves a step that is scheduled during the purge to the next one, which voids it', async () => {
    const { store, ref, approval } = await requestIn('sent');
    const { teamId, connectionId } = approval;
    await pendingRequest(database.db, store, { teamId, connectionId });
    // The process that was sending the change commits after the others have been ended.
    const appendLate: typeof append = async (trx, entry) => {
      await append(trx, entry);
      await trx
        .updateTable('run')
        .set({ state: 'scheduled', step: 'delete', lease_holder: null, wake_at: at })
        .where('id', '=', ref.id)
        .execute();
      await trx
        .updateTable('approval')
        .set({ state: 'scheduled' })
        .where('id', '=', ref.id)
        .execute();
    };
    await inTransaction((trx) => createPurgeRequests(appendLate)(trx, { teamId, at }));
    expect(await store.find(ref)).toMatchObject({ state: 'scheduled' });
    await purge(teamId);
    expect(await lastEntry(ref)).toBe('voided uninstalled');
    expect(await purge(teamId)).toBe('done');
  });

  it('gives up a change whose process died while it was being sent', async () => {
    const { ref } = await requestIn('sent');
    expect(await purge(ref.teamId, addSeconds(noon, 31))).toBe('more');
    expect(await lastEntry(ref)).toBe('outcome_unknown uninstalled');
    expect(await purge(ref.teamId)).toBe('done');
  });

  it('creates no request once the connection is gone', async () => {
    const { store, ref, approval } = await requestIn('pending');
    await inTransaction((trx) => disconnect(trx, { teamId: ref.teamId, at }));
    const { connectionId } = approval;
    const created = await store.create(
      await newApproval(database.db, { teamId: ref.teamId, connectionId }),
    );
    expect(created.result).toBe('connection_replaced');
  });
});
