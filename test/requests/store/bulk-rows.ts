import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import { expect } from 'vitest';
import type { Database } from '../../../src/database/tables.ts';
import type { Approval, ApprovalRef, NewApproval, NewRun } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { decideAs, onePm, pendingRequest } from './rows.ts';

export const ben = { by: 'U_BEN', mailboxHash: 'ben' };
export const holder = 'process-1';

/** Runs for the users u-0, u-1 and so on. */
export function newRuns(count: number): NewApproval['runs'] {
  const [first, ...others] = Array.from({ length: count }, (_, index) => newRun(index));
  if (!first) throw new Error('a request without users');
  return [first, ...others];
}

function newRun(index: number): NewRun {
  return {
    id: randomUUID(),
    payload: { id: `u-${index}` },
    subjectId: `u-${index}`,
    snapshot: { isEnabled: true },
    step: 'disable',
    checks: [],
    personal: { summary: `disable u-${index}`, subject: `u-${index}` },
  };
}

/** What the tests of requests about several users do with a store. */
export function workWith(db: Database, store: ApprovalStore) {
  return {
    /** A pending request that was posted. */
    pending: (count: number, changes: Partial<NewApproval> = {}) =>
      pendingRequest(db, store, { runs: newRuns(count), ...changes }),
    approve: ({ teamId, id }: Approval, more = {}) =>
      decideAs(store, { teamId, id, to: 'approved', ...ben, at: onePm, ...more }),
    async statesOf(request: Approval) {
      return (await this.find(request)).runs.map(({ state }) => state);
    },
    async find(request: Approval) {
      const found = await store.find(request);
      if (!found) throw new Error('the request is gone');
      return found;
    },
    /** The events of its team, each with its action. */
    async eventsOf({ teamId }: Approval) {
      const rows = await db
        .selectFrom('audit_log')
        .select(['event', 'action'])
        .where('team_id', '=', teamId)
        .orderBy('seq')
        .execute();
      return rows.map(({ event, action }) => `${event} ${action}`);
    },
    /** Starts the step of a run and ends it. */
    async run(
      { teamId, id }: ApprovalRef,
      to: 'completed' | 'failed' | 'voided',
      { isSent = to === 'completed' } = {},
    ) {
      const at = addMinutes(onePm, 1);
      const lease = { holder, until: addMinutes(at, 1) };
      expect(await store.begin({ teamId, id, lease, at })).toBeDefined();
      if (isSent) await store.markSent({ teamId, id, lease, at });
      return store.finish({ teamId, id, to, outcome: '', holder, at });
    },
  };
}
