import {
  type Expression,
  type ExpressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type UpdateObject,
} from 'kysely';
import type { AuditFacts } from '../../audit-log/entry.ts';
import type { StopReason } from '../../audit-log/registry.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { Approval, ApprovalRef, Run } from '../approval.ts';
import {
  type EndState,
  endings,
  hasEnded,
  type Transition,
  transitions,
} from '../approval-state.ts';
import { countRuns, type RunCounts, stateOfRuns } from '../several/count-runs.ts';
import {
  type ApprovalRow,
  type EntryDetail,
  entriesFor,
  toApproval,
  withRuns,
} from './approval-row.ts';
import type { RunTable } from './tables.ts';
import {
  changeRequests,
  nextVersion,
  type StoreHooks,
  type TransactionHooks,
} from './transaction-hooks.ts';

type Trx = Transaction<Tables>;

/** What a change says and does, beside its transition. */
type Change<Table extends 'approval' | 'run', Changed> = {
  at: Date;
  /** What else must hold. */
  when?: ((eb: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>) | undefined;
  set?: UpdateObject<Tables, Table> | undefined;
  /** For the audit log, of what was changed. */
  entry?: ((changed: Changed) => Omit<EntryDetail, 'at'>) | undefined;
};
/** `outcome`: of all runs, which won't run. */
type RequestChange = Change<'approval', Approval> & { outcome?: string };
/** `seenVersion`: it changes only if nothing else has changed it since. */
type RunChange = Change<'run', Run> & { seenVersion?: number | undefined };

/** Rows of a team, and what to set in those whose state allows the transition. */
type Moving<Table extends 'approval' | 'run'> = {
  set: UpdateObject<Tables, Table>;
  which: (eb: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>;
};

/** Changes one request that waits for its decision, and with the last such change its runs. */
export async function changeRequest(
  trx: Trx,
  transition: Transition,
  { teamId, id }: ApprovalRef,
  { at, when, set = {}, outcome, entry }: RequestChange,
  hooks: TransactionHooks,
): Promise<Approval | undefined> {
  const [approval] = await moveRequests(trx, transition, teamId, {
    at,
    set,
    outcome,
    which: (eb) => eb.and([eb('id', '=', id), ...(when ? [when(eb)] : [])]),
  });
  if (!approval) return undefined;
  await recordDecision(trx, approval, transition, { at, ...entry?.(approval) }, hooks);
  return approval;
}

/** Changes requests, and starts or ends their runs. Every change counts in `version`. */
export async function moveRequests(
  trx: Trx,
  transition: Transition,
  teamId: string,
  { at, set, which, outcome }: Moving<'approval'> & { at: Date; outcome?: string | undefined },
): Promise<Approval[]> {
  const { from, to } = transitions[transition];
  const rows = await trx
    .updateTable('approval')
    .set(nextVersion)
    .set({ state: to })
    .set(set)
    .where('team_id', '=', teamId)
    .where('state', 'in', from)
    .where(which)
    .returningAll()
    .returning(withRuns)
    .execute();
  const moved: Approval[] = [];
  for (const row of rows) moved.push(toApproval(await decideRuns(trx, row, { at, outcome })));
  return moved;
}

export type RunMove = Moving<'run'> & { transition: Transition };
type ChangedRun = Selectable<RunTable> & { transition: Transition };

/** Runs of one request that changed at once. */
type Moved = {
  /** With these runs only. */
  approval: Approval;
  /** By the ids of the runs. */
  transitionOf: ReadonlyMap<string, Transition>;
  /** How the request has ended with them. Only of one about several subjects: else its run says so. */
  end?: { to: EndState; at: Date; counts: RunCounts } | undefined;
};

/**
 * Changes runs, all of them before the first of their requests is locked: see "The order of locks" in
 * docs/architecture.md.
 */
export async function moveRuns(
  trx: Trx,
  { teamId, at }: { teamId: string; at: Date },
  ...moves: RunMove[]
): Promise<Moved[]> {
  const rows: ChangedRun[] = [];
  for (const { transition, set, which } of moves) {
    const { from, to } = transitions[transition];
    const changed = await trx
      .updateTable('run')
      .set((eb) => ({ state: to, version: eb('version', '+', 1) }))
      .set(set)
      .where('team_id', '=', teamId)
      .where('state', 'in', from)
      .where(which)
      .returningAll()
      .execute();
    rows.push(...changed.map((row) => ({ ...row, transition })));
  }
  const byRequest = [...Map.groupBy(rows, (row) => row.approval_id)];
  const moved: Moved[] = [];
  for (const [id, runs] of byRequest.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const inOrder = runs.toSorted((one, other) => one.position - other.position);
    moved.push(await followRuns(trx, { teamId, id }, inOrder, at));
  }
  return moved;
}

/** Each change in a transaction of its own. */
export function createChange(db: Database, storeHooks: StoreHooks) {
  return {
    changeRequest: (transition: Transition, ref: ApprovalRef, change: RequestChange) =>
      changeRequests(db, storeHooks, (trx, hooks) =>
        changeRequest(trx, transition, ref, change, hooks),
      ),

    /** Changes one run; its request follows. Resolves to the request with this run only. */
    changeRun: (
      transition: Transition,
      { teamId, id }: ApprovalRef,
      { at, seenVersion, when, set = {}, entry }: RunChange,
    ) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const isSeen = seenVersion === undefined ? {} : { version: seenVersion };
        const which: RunMove['which'] = (eb) =>
          eb.and([eb.and({ id, ...isSeen }), ...(when ? [when(eb)] : [])]);
        const [moved] = await moveRuns(trx, { teamId, at }, { transition, set, which });
        if (!moved) return undefined;
        await recordRuns(trx, moved, (run) => ({ at, ...entry?.(run) }), hooks);
        return moved.approval;
      }),
  };
}

/** What a request or a run that won't run has. */
export const endedAt = (at: Date) => ({ finished_at: at, wake_at: null });

/**
 * How many subjects of a request are started per second. More would make their calls to the service wait
 * for each other until they time out.
 */
const startedPerSecond = 5;

/** When each run of a request starts. */
export function startsAt(at: Date) {
  return sql<Date>`${at}::timestamptz
    + interval '1 second' * (position / ${sql.lit(startedPerSecond)})`;
}

/** Starts or ends the runs of a request that was just decided. */
async function decideRuns(
  trx: Trx,
  row: ApprovalRow,
  { at, outcome = null }: { at: Date; outcome?: string | null | undefined },
): Promise<ApprovalRow> {
  if (row.state === 'pending') return row;
  const runs = await trx
    .updateTable('run')
    .set((eb) => ({
      state: row.state,
      version: eb('version', '+', 1),
      outcome,
      finished_at: row.finished_at,
      wake_at: row.state === 'approved' ? startsAt(at) : null,
    }))
    .where('team_id', '=', row.team_id)
    .where('approval_id', '=', row.id)
    .returningAll()
    .execute();
  return { ...row, runs: runs.toSorted((one, other) => one.position - other.position) };
}

/**
 * Gives a request the state that follows from its runs. Locks it, so that of two runs that change at once
 * the second sees the first. Only the changed runs are parsed: one that can't be read stops no other.
 */
async function followRuns(
  trx: Trx,
  { teamId, id }: ApprovalRef,
  changed: ChangedRun[],
  at: Date,
): Promise<Moved> {
  const transitionOf = new Map(changed.map((run) => [run.id, run.transition]));
  const onlyRun = changed.find((run) => run.id === id);
  const own = trx.updateTable('approval').where('team_id', '=', teamId).where('id', '=', id);
  const row = await own
    .set(nextVersion)
    .set(onlyRun ? { state: onlyRun.state, finished_at: onlyRun.finished_at } : {})
    .returningAll()
    .executeTakeFirstOrThrow();
  if (onlyRun) return { approval: toApproval({ ...row, runs: changed }), transitionOf };
  const runs = await trx
    .selectFrom('run')
    .select(['state', 'wake_at', 'sent'])
    .where('team_id', '=', teamId)
    .where('approval_id', '=', id)
    .execute();
  const counts = countRuns(
    runs.map(({ state, wake_at, sent }) => ({
      state,
      wakeAt: wake_at,
      sent: Array.isArray(sent) ? sent : [],
    })),
  );
  const state = stateOfRuns(counts);
  const approval = { ...toApproval({ ...row, runs: changed }), state };
  if (state === row.state) return { approval, transitionOf };
  const end = state === 'approved' || state === 'scheduled' ? undefined : { to: state, at, counts };
  const finishedAt = end?.at;
  await own.set({ state, finished_at: finishedAt ?? null }).execute();
  return { approval: { ...approval, finishedAt }, transitionOf, end };
}

/** Ends every change with entries in the audit log, whose lock comes last. */
export async function recordDecision(
  trx: Trx,
  approval: Approval,
  transition: Transition,
  detail: EntryDetail,
  { append, onChanged, onEnded }: TransactionHooks,
): Promise<void> {
  await onChanged(trx, approval);
  if (hasEnded(approval)) await onEnded(trx, approval);
  const [own, ...others] = entriesFor(approval, transitions[transition].event, detail);
  if (own) await append(trx, own);
  // One of several approvals changes no run.
  if (approval.state === 'pending') return;
  // What somebody wrote is logged once, with the request.
  for (const { personal: _, ...entry } of others) await append(trx, entry);
}

/** The same for runs, and for their request if that has ended with them. */
export async function recordRuns(
  trx: Trx,
  { approval, transitionOf, end }: Moved,
  detail: (run: Run) => EntryDetail,
  { append, onChanged, onEnded }: TransactionHooks,
): Promise<void> {
  const { teamId, id: approvalId, action, runs } = approval;
  await onChanged(trx, approval);
  for (const run of runs) {
    // An unknown outcome with a time to check may still run.
    const mayRun = run.state === 'outcome_unknown' && run.wakeAt !== undefined;
    if (hasEnded(run) && !mayRun) await onEnded(trx, { ...approval, runs: [run] });
  }
  for (const run of runs) {
    const transition = transitionOf.get(run.id);
    if (!transition) continue;
    const { event } = transitions[transition];
    const { id, subjectId } = run;
    await append(trx, { teamId, event, approvalId: id, action, subjectId, ...detail(run) });
  }
  if (!end) return;
  const { event } = transitions[endings[end.to]];
  await append(trx, { teamId, event, approvalId, action, at: end.at, facts: end.counts });
}

/** The facts of an entry about a step, and why it stopped or waits. */
export function stepFacts(
  { step }: Pick<Run, 'step'>,
  reason?: StopReason | undefined,
): AuditFacts {
  return reason ? { step, reason } : { step };
}
