import { sql, type Updateable } from 'kysely';
import { isHeldBy } from '../../database/leases.ts';
import type { Database } from '../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { createChange, stepFacts } from './change-approval.ts';
import type { RunTable } from './tables.ts';
import type { StoreHooks } from './transaction-hooks.ts';

/** The process that runs a step, and until when it counts as alive. */
export type Lease = { holder: string; until: Date };

/** `id` is that of the run. */
type Leasing = ApprovalRef & { lease: Lease; at: Date };

/** The statements that give one process the right to run a step of a run. */
export function createLeasingStore(db: Database, storeHooks: StoreHooks) {
  const { changeRun } = createChange(db, storeHooks);
  const extendLease = async (
    { lease, at, teamId, id }: Leasing,
    columns: Pick<Updateable<RunTable>, 'sent'> = {},
  ): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('run')
      .set((eb) => ({
        ...columns,
        // Two renewals at once may commit in either order.
        wake_at: eb.fn<Date>('greatest', ['wake_at', eb.val(lease.until)]),
      }))
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('wake_at', '>', at)
      .where(isHeldBy(lease.holder))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  };

  return {
    /**
     * Starts the step that is due, under a lease; with `seenVersion`, unless the request changed since.
     * Not `leaseRows`: the state changes in the same statement, and `wake_at`, which ends the lease, is the
     * deadline of every other state as well.
     */
    begin: ({
      lease,
      at,
      seenVersion,
      ...ref
    }: Leasing & { seenVersion?: number | undefined }): Promise<Approval | undefined> =>
      changeRun('begin', ref, {
        at,
        seenVersion,
        when: (eb) => eb('wake_at', '<=', at),
        set: {
          lease_holder: lease.holder,
          wake_at: lease.until,
          begun_at: at,
          attempts: sql<number>`attempts + 1`,
        },
        entry: (run) => ({ facts: { ...stepFacts(run), attempt: run.attempts } }),
      }),

    /** False when the lease ended or is somebody else's: its holder must not act anymore. */
    renewLease: (renewal: Leasing): Promise<boolean> => extendLease(renewal),

    /** Renews the lease and records that this attempt may send its change, before it does. */
    markSent: (renewal: Leasing): Promise<boolean> =>
      extendLease(renewal, {
        sent: sql`sent || jsonb_build_array(jsonb_build_object('step', step, 'attempt', attempts))`,
      }),
  };
}
