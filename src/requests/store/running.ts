import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import { isHeldBy } from '../../database/leases.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { Approval, ApprovalRef, Ending } from '../approval.ts';
import { endings, type Transition } from '../approval-state.ts';
import { renewRequesterCopy } from '../copies/copy.ts';
import { toApproval, withOneRun, withRuns } from './approval-row.ts';
import {
  createChange,
  endedAt,
  moveRuns,
  type RunMove,
  recordRuns,
  startsAt,
  stepFacts,
} from './change-approval.ts';
import { selectRuns } from './select-runs.ts';
import type { RunTable } from './tables.ts';
import { changeRequests, type StoreHooks } from './transaction-hooks.ts';

/** `id` is that of a run, unless it says otherwise. */
type Dated = ApprovalRef & { at: Date };
/** Changes the run only if nothing else has changed it since this version. */
type IfUnchanged = { seenVersion: number };
type Rescheduled = Dated & { outcome: string; wakeAt: Date };
type Checked = Dated & IfUnchanged & { outcome?: string | undefined };

/** The process that runs a step, and until when it counts as alive. */
export type Lease = { holder: string; until: Date };

type Leasing = Dated & { lease: Lease };

/** How many rows are found at once; the rest follow. */
export const dueLimit = 200;

/**
 * The first request of every team before the second one of any. Requests that fail each time, because
 * Slack no longer accepts the token of a team, then leave room for others.
 */
export function teamsInTurn(column: 'wake_at' | 'requested_at') {
  return sql`row_number() over (partition by team_id order by ${sql.ref(column)})`;
}

/** What has changed, and the trace that continues with what this makes due. */
export type ChangedRef = ApprovalRef & { version: number; traceparent: string | undefined };
/** A request, or a run of the request `approvalId`, that is due. */
export type DueRef = ChangedRef & { of: 'request' | 'run'; approvalId: string };

/** The statements that run what was approved. */
export function createRunningStore(db: Database, storeHooks: StoreHooks, isServed: ServedTeams) {
  const { changeRun: change } = createChange(db, storeHooks);
  const end = (
    ending: Ending,
    more: Pick<Parameters<typeof change>[2], 'seenVersion' | 'when'>,
  ) => {
    const { at, outcome, stopReason } = ending;
    return change(transitionOf(ending), ending, {
      ...more,
      at,
      set: endingColumns(ending),
      entry: (run) => ({
        facts: {
          ...stepFacts(run, stopReason),
          ...(ending.taskId !== undefined && { task: ending.taskId }),
        },
        // Erasable, because it may quote the service, which may name people.
        personal: outcome ? { outcome } : undefined,
      }),
    });
  };

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
    /** The run with this id, as the only one of its request. */
    async findRun({ teamId, id }: ApprovalRef): Promise<Approval | undefined> {
      const row = await selectRuns(db, teamId)
        .selectAll('approval')
        .select(withOneRun)
        .where('run.id', '=', id)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    /**
     * Starts the step that is due, under a lease; with `seenVersion`, unless the request changed since.
     * Not `leaseRows`: the state changes in the same statement, and `wake_at`, which ends the lease, is the
     * deadline of every other state as well.
     */
    begin: ({ lease, at, seenVersion, ...ref }: Leasing & { seenVersion?: number | undefined }) =>
      change('begin', ref, {
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
    renewLease: (renewal: Leasing) => extendLease(renewal),

    /** Renews the lease and records that this attempt may send its change, before it does. */
    markSent: (renewal: Leasing) =>
      extendLease(renewal, {
        sent: sql`sent || jsonb_build_array(jsonb_build_object('step', step, 'attempt', attempts))`,
      }),

    /**
     * Cancels the runs of the request `id` that wait: it approves the step that cancels for those whose
     * scheduled step is not yet due, and ends those whose first step hasn't sent anything. False if there
     * is none.
     */
    cancelScheduled: (cancellation: Dated & { by: string; firstStep: string; step: string }) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const { teamId, id, by, firstStep, step, at } = cancellation;
        const canceled = await moveRuns(
          trx,
          { teamId, at },
          {
            // First: the other one leaves its runs approved.
            transition: 'cancelUnsent',
            set: { canceled_by: by, outcome: null, ...endedAt(at) },
            // One that has no others has the id of its request, and can't be canceled before its first step.
            which: (eb) =>
              eb('approval_id', '=', id)
                .and('id', '<>', id)
                .and('step', '=', firstStep)
                .and('canceled_by', 'is', null),
          },
          {
            transition: 'requestCancellation',
            set: { ...nextStep(step), canceled_by: by, wake_at: startsAt(at) },
            which: (eb) => eb('approval_id', '=', id).and('wake_at', '>', at),
          },
        );
        const detail = { at, actor: by };
        for (const moved of canceled) await recordRuns(trx, moved, () => detail, hooks);
        return canceled.length > 0;
      }),

    /** Records who wants the task to be aborted, and looks at it soon. False if it isn't followed any more. */
    async requestAbort({ by, at, ...ref }: Dated & { by: string }): Promise<boolean> {
      const requested = await change('requestAbort', ref, {
        at,
        when: isNotLeased,
        set: { canceled_by: by, wake_at: at },
        entry: (run) => ({ actor: by, facts: stepFacts(run) }),
      });
      return requested !== undefined;
    },

    /** Delays a scheduled step that is due, because nobody could have canceled it in time. */
    postpone: ({ at, wakeAt, ...ref }: Dated & { wakeAt: Date }) =>
      change('postpone', ref, {
        at,
        when: (eb) => eb('wake_at', '<=', at),
        set: { wake_at: wakeAt },
        entry: (run) => ({ facts: stepFacts(run, 'overdue') }),
      }),

    /** Voids a run whose next step couldn't be started in time, unless it changed since. */
    voidLate: ({ at, outcome, seenVersion, ...ref }: Dated & IfUnchanged & { outcome: string }) =>
      change('voidLate', ref, {
        at,
        seenVersion,
        set: { outcome, ...endedAt(at) },
        entry: (run) => ({ facts: stepFacts(run, 'not_started_in_time') }),
      }),

    /** Ends the step of the lease's holder; a late result also replaces an unknown outcome. */
    finish: ({ holder, ...ending }: Ending & { holder: string }) =>
      end(ending, { when: () => isHeldBy(holder) }),

    /** Records what was found out about a change that was sent, unless the run changed since. */
    settle: ({ seenVersion, ...ending }: Ending & IfUnchanged) =>
      end(ending, { seenVersion, when: isNotLeased }),

    /** Records how far the task of the service is, which is no entry of the audit log. */
    recordProgress: (progress: Rescheduled & IfUnchanged) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const { teamId, id, seenVersion, outcome, at, wakeAt } = progress;
        const set = { outcome, finished_at: at, wake_at: wakeAt };
        const which: RunMove['which'] = (eb) =>
          eb.and([eb.and({ id, version: seenVersion }), isNotLeased(eb)]);
        const [moved] = await moveRuns(trx, { teamId, at }, { transition: 'accept', set, which });
        if (moved) await hooks.onChanged(trx, moved.approval);
        return moved !== undefined;
      }),

    /**
     * Ends the look at a completed run, or sets when to look again. Words are news, for which the requester
     * gets a new message.
     */
    recordFollowUp: (check: Checked & { wakeAt?: Date | undefined }) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const { teamId, id, seenVersion, at, outcome, wakeAt } = check;
        const set = wakeAt ? { wake_at: wakeAt } : { wake_at: null, outcome: outcome ?? null };
        const which: RunMove['which'] = (eb) => eb.and({ id, version: seenVersion });
        const [moved] = await moveRuns(trx, { teamId, at }, { transition: 'followUp', set, which });
        if (!moved) return;
        if (outcome !== undefined) await renewRequesterCopy(trx, moved.approval);
        await hooks.onChanged(trx, moved.approval);
      }),

    /** For a step whose lease has expired. */
    markOutcomeUnknown: ({ outcome, at, wakeAt, ...ref }: Rescheduled) =>
      change('interrupt', ref, {
        at,
        when: (eb) => eb('wake_at', '<=', at),
        set: { outcome, finished_at: at, wake_at: wakeAt },
        entry: (run) => ({ facts: stepFacts(run, 'interrupted') }),
      }),

    /**
     * Sets when a change that was sent is checked again, unless another check has changed the run. `seenAt`:
     * when the service showed that it works on it.
     */
    async rescheduleCheck(
      check: ApprovalRef & IfUnchanged & { wakeAt: Date; seenAt?: Date | undefined },
    ): Promise<void> {
      const { teamId, id, seenVersion, wakeAt, seenAt } = check;
      await db
        .updateTable('run')
        .set({ wake_at: wakeAt, ...(seenAt && { finished_at: seenAt }) })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('state', 'in', ['running', 'outcome_unknown'])
        .where(isNotLeased)
        .where('version', '=', seenVersion)
        .where('wake_at', 'is not', null)
        .execute();
    },

    /** Ends the checks of an unknown outcome: people have to find out. `outcome` replaces the words. */
    giveUp: ({ at, outcome, seenVersion, ...ref }: Checked) =>
      change('giveUp', ref, {
        at,
        seenVersion,
        when: (eb) => eb.and([eb('wake_at', 'is not', null), isNotLeased(eb)]),
        set: outcome === undefined ? { wake_at: null } : { wake_at: null, outcome },
        entry: (run) => ({ facts: stepFacts(run, 'gave_up') }),
      }),

    /** Subjects of other runs on this connection that are running, scheduled or uncertain. */
    async subjectsUnderWay(ref: ApprovalRef & { connectionId: string }): Promise<string[]> {
      const { teamId, connectionId, id } = ref;
      const rows = await selectRuns(db, teamId)
        .select('subject_id')
        .distinct()
        .where('connection_id', '=', connectionId)
        .where('run.id', '<>', id)
        .where('run.state', 'in', ['running', 'outcome_unknown', 'scheduled'])
        // An unknown outcome that Belay gave up on is for people to judge.
        .where('run.wake_at', 'is not', null)
        .execute();
      return rows.map(({ subject_id }) => subject_id);
    },

    /** Other requests about the same subject that have started or are being canceled, and haven't ended. */
    async findOthersStarted({ teamId, connectionId, runs: [run] }: Approval): Promise<Approval[]> {
      const rows = await selectRuns(db, teamId)
        .selectAll('approval')
        .select(withRuns)
        .where('connection_id', '=', connectionId)
        .where('subject_id', '=', run.subjectId)
        .where('run.id', '<>', run.id)
        .where('run.wake_at', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('run.state', 'in', ['running', 'outcome_unknown', 'scheduled']),
            eb.and([eb('run.state', '=', 'approved'), eb('run.canceled_by', 'is not', null)]),
          ]),
        )
        .execute();
      return rows.map(toApproval);
    },

    /** Leaves a request or a run that can't be read as it is until then. */
    async setAside({ teamId, id }: ApprovalRef, until: Date): Promise<void> {
      const later = (column: 'wake_at' | 'remind_at') =>
        sql<Date | null>`case when ${sql.ref(column)} < ${until} then ${until} else ${sql.ref(column)} end`;
      await db
        .updateTable('approval')
        .set({ wake_at: later('wake_at'), remind_at: later('remind_at'), rendering_until: until })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute();
      await db
        .updateTable('run')
        .set({ wake_at: later('wake_at') })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute();
    },

    /** Pending requests whose deadline has passed, and runs that are due. */
    async findDue(at: Date, limit = dueLimit): Promise<DueRef[]> {
      const requests = db
        .selectFrom('approval')
        .select((eb) => [
          eb.val<DueRef['of']>('request').as('of'),
          'team_id',
          'id',
          'id as approval_id',
          'version',
          'traceparent',
          'wake_at',
        ])
        .where('wake_at', '<=', at)
        .where(isServed('approval.team_id'));
      const runs = db
        .selectFrom('run')
        .innerJoin('approval', 'approval.id', 'run.approval_id')
        .select((eb) => [
          eb.val<DueRef['of']>('run').as('of'),
          'run.team_id',
          'run.id',
          'run.approval_id',
          'run.version',
          'traceparent',
          'run.wake_at',
        ])
        .where('run.wake_at', '<=', at)
        .where(isServed('run.team_id'));
      const rows = await db
        .selectFrom(requests.unionAll(runs).as('due'))
        .selectAll()
        .orderBy(teamsInTurn('wake_at'))
        .orderBy('wake_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        of: row.of,
        teamId: row.team_id,
        id: row.id,
        approvalId: row.approval_id,
        version: row.version,
        traceparent: row.traceparent ?? undefined,
      }));
    },
  };
}

/**
 * Whether no process runs the step: its outcome is unknown, or it is a task that every process follows.
 * Under a lease, only the holder ends it, and `wake_at` is when the lease ends.
 */
function isNotLeased(eb: ExpressionBuilder<Tables, 'run'>) {
  return eb.or([eb('state', '=', 'outcome_unknown'), eb('lease_holder', 'is', null)]);
}

function transitionOf({ to }: Ending): Transition {
  if (to === 'scheduled') return 'schedule';
  if (to === 'running') return 'accept';
  return to === 'approved' ? 'retry' : endings[to];
}

/** What a run has when another step is next. */
const nextStep = (step: string) => ({ step, attempts: 0, waiting_since: null });

function endingColumns(ending: Ending) {
  const { outcome, at } = ending;
  return {
    outcome,
    finished_at: at,
    wake_at: ending.wakeAt ?? null,
    ...(ending.waitingSince && { waiting_since: ending.waitingSince }),
    ...(ending.to === 'scheduled' ? nextStep(ending.step) : {}),
    // Without this attempt, which sent nothing.
    ...(ending.to === 'approved' && { sent: JSON.stringify(ending.sent) }),
    // Without a holder, because from now on every process follows the task.
    ...(ending.to === 'running' && { sent: JSON.stringify(ending.sent), lease_holder: null }),
    ...(ending.createdId !== undefined && { subject_id: ending.createdId }),
  };
}
