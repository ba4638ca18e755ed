import { sql } from 'kysely';
import { stopReasons } from '../../audit-log/registry.ts';
import { isHeldBy } from '../../database/leases.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';
import type { Approval, ApprovalRef, Ending } from '../approval.ts';
import { endings, type Transition } from '../approval-state.ts';
import type { ApprovalRow } from './approval-row.ts';
import { createChangeRequest, endedAt, stepFacts } from './change-approval.ts';
import type { StoreHooks } from './transaction-hooks.ts';

type Dated = ApprovalRef & { at: Date };

/** How many rows are found at once; the rest follow. */
export const dueLimit = 200;

/**
 * The first request of every team before the second one of any. Requests that fail each time, because
 * Slack no longer accepts the token of a team, then leave room for others.
 */
export function teamsInTurn(column: 'wake_at' | 'requested_at') {
  return sql`row_number() over (partition by team_id order by ${sql.ref(column)})`;
}

/** A request that is due, and the trace that it continues. */
export type DueRef = ApprovalRef & { version: number; traceparent: string | undefined };

export function toDueRef(
  row: Pick<ApprovalRow, 'team_id' | 'id' | 'version' | 'traceparent'>,
): DueRef {
  const { team_id: teamId, id, version, traceparent } = row;
  return { teamId, id, version, traceparent: traceparent ?? undefined };
}

/** The statements that run what was approved. */
export function createRunningStore(db: Database, storeHooks: StoreHooks, isServed: ServedTeams) {
  const change = createChangeRequest(db, storeHooks);
  const end = (
    ending: Ending,
    more: Pick<Parameters<typeof change>[2], 'seenVersion' | 'when'>,
  ) => {
    const { at, outcome, stopReason } = ending;
    return change(transitionOf(ending), ending, {
      ...more,
      at,
      set: endingColumns(ending),
      entry: (row) => ({
        facts: stepFacts(row, stopReason),
        // Erasable, because it may quote the service, which may name people.
        personal: outcome ? { outcome } : undefined,
      }),
    });
  };

  return {
    /** Approves the step that cancels, while the scheduled one is not yet due. */
    cancelScheduled: ({
      by,
      step,
      at,
      ...ref
    }: Dated & { by: string; step: string }): Promise<Approval | undefined> =>
      change('requestCancellation', ref, {
        at,
        when: (eb) => eb('wake_at', '>', at),
        set: { step, canceled_by: by, attempts: 0, wake_at: at },
        entry: () => ({ actor: by }),
      }),

    /** Delays a scheduled step that is due, because nobody could have canceled it in time. */
    postpone: ({ at, wakeAt, ...ref }: Dated & { wakeAt: Date }): Promise<Approval | undefined> =>
      change('postpone', ref, {
        at,
        when: (eb) => eb('wake_at', '<=', at),
        set: { wake_at: wakeAt },
        entry: (row) => ({ facts: stepFacts(row, stopReasons.overdue.id) }),
      }),

    /** Voids a request whose next step couldn't be started in time, unless it changed since. */
    voidLate: ({
      at,
      outcome,
      version: seenVersion,
      ...ref
    }: Dated & { outcome: string; version: number }): Promise<Approval | undefined> =>
      change('voidLate', ref, {
        at,
        seenVersion,
        set: { outcome, ...endedAt(at) },
        entry: (row) => ({ facts: stepFacts(row, stopReasons.notStartedInTime.id) }),
      }),

    /** Ends the step of the lease's holder; a late result also replaces an unknown outcome. */
    finish: ({ holder, ...ending }: Ending & { holder: string }): Promise<Approval | undefined> =>
      end(ending, { when: () => isHeldBy(holder) }),

    /** Records what was found out about an unknown outcome, unless the request changed since. */
    settle: ({ version, ...ending }: Ending & { version: number }): Promise<Approval | undefined> =>
      end(ending, {
        seenVersion: version,
        when: (eb) => eb('state', '=', 'outcome_unknown'),
      }),

    /** For a step whose lease has expired. */
    markOutcomeUnknown: ({
      outcome,
      at,
      wakeAt,
      ...ref
    }: Dated & { outcome: string; wakeAt: Date }): Promise<Approval | undefined> =>
      change('interrupt', ref, {
        at,
        when: (eb) => eb('wake_at', '<=', at),
        set: { outcome, finished_at: at, wake_at: wakeAt },
        entry: (row) => ({ facts: stepFacts(row, stopReasons.interrupted.id) }),
      }),

    /** Sets when an unknown outcome is checked again, unless another check has changed the request. */
    async rescheduleCheck({
      teamId,
      id,
      seenVersion,
      wakeAt,
    }: ApprovalRef & { seenVersion: number; wakeAt: Date }): Promise<void> {
      await db
        .updateTable('approval')
        .set({ wake_at: wakeAt })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('state', '=', 'outcome_unknown')
        .where('version', '=', seenVersion)
        .where('wake_at', 'is not', null)
        .execute();
    },

    /** Ends the checks of an unknown outcome: people have to find out. `outcome` replaces the words. */
    giveUp: ({
      at,
      outcome,
      seenVersion,
      ...ref
    }: Dated & { seenVersion: number; outcome?: string | undefined }): Promise<
      Approval | undefined
    > =>
      change('giveUp', ref, {
        at,
        seenVersion,
        when: (eb) => eb('wake_at', 'is not', null),
        set: outcome === undefined ? { wake_at: null } : { wake_at: null, outcome },
        entry: (row) => ({ facts: stepFacts(row, stopReasons.gaveUp.id) }),
      }),

    /** Subjects of other requests on this connection that are running, scheduled or uncertain. */
    async subjectsUnderWay({
      teamId,
      connectionId,
      id,
    }: ApprovalRef & { connectionId: string }): Promise<string[]> {
      const rows = await db
        .selectFrom('approval')
        .select('subject_id')
        .distinct()
        .where('team_id', '=', teamId)
        .where('connection_id', '=', connectionId)
        .where('id', '<>', id)
        // The subjects of a bulk request have requests of their own.
        .where('tally', 'is', null)
        .where('state', 'in', ['running', 'outcome_unknown', 'scheduled'])
        // An unknown outcome that Belay gave up on is for people to judge.
        .where('wake_at', 'is not', null)
        .execute();
      return rows.flatMap(({ subject_id }) => subject_id ?? []);
    },

    /** Leaves a request that can't be read as it is until then. */
    async setAside({ teamId, id }: ApprovalRef, until: Date): Promise<void> {
      const later = (column: 'wake_at' | 'remind_at') =>
        sql<Date | null>`case when ${sql.ref(column)} < ${until} then ${until} else ${sql.ref(column)} end`;
      await db
        .updateTable('approval')
        .set({ wake_at: later('wake_at'), remind_at: later('remind_at'), rendering_until: until })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute();
    },

    async findDue(at: Date, limit = dueLimit): Promise<DueRef[]> {
      const rows = await db
        .selectFrom('approval')
        .select(['team_id', 'id', 'version', 'traceparent'])
        .where('wake_at', '<=', at)
        .where(isServed('approval.team_id'))
        .orderBy(teamsInTurn('wake_at'))
        .orderBy('wake_at')
        .limit(limit)
        .execute();
      return rows.map(toDueRef);
    },
  };
}

function transitionOf({ to }: Ending): Transition {
  if (to === 'scheduled') return 'schedule';
  return to === 'approved' ? 'retry' : endings[to];
}

function endingColumns(ending: Ending) {
  const { outcome, at } = ending;
  return {
    outcome,
    finished_at: at,
    wake_at: ending.wakeAt ?? null,
    ...(ending.to === 'scheduled' ? { step: ending.step, attempts: 0 } : {}),
    // Without this attempt, which sent nothing.
    ...(ending.to === 'approved' && { sent: JSON.stringify(ending.sent) }),
    ...(ending.createdId !== undefined && { subject_id: ending.createdId }),
  };
}
