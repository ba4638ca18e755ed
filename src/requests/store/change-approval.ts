import type {
  Expression,
  ExpressionBuilder,
  SelectQueryBuilder,
  SqlBool,
  Transaction,
  UpdateObject,
} from 'kysely';
import type { AuditFacts } from '../../audit-log/entry.ts';
import {
  type ApprovableActionName,
  type StopReason,
  setupChangeAction,
  stopReasons,
} from '../../audit-log/registry.ts';
import { connectionIdsOf } from '../../database/connection-origin.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { Approval, ApprovalRef, NewApproval } from '../approval.ts';
import { hasEnded, type Transition, transitions } from '../approval-state.ts';
import { followParent, scheduleTallies } from '../bulk/bulk-family.ts';
import { ruleChangedText } from '../rules/requirements.ts';
import { type ApprovalRow, type EntryDetail, entryFor, toApproval } from './approval-row.ts';
import {
  changeRequests,
  nextVersion,
  type StoreHooks,
  type TransactionHooks,
} from './transaction-hooks.ts';

type Trx = Transaction<Tables>;

type Builder = ExpressionBuilder<Tables, 'approval'>;

/** What a change of one request says and does, beside its transition. */
export type Change = {
  at: Date;
  /** The request changes only if nothing else has changed it since. */
  seenVersion?: number | undefined;
  /** What else must hold. */
  when?: ((eb: Builder) => Expression<SqlBool>) | undefined;
  set?: UpdateObject<Tables, 'approval'> | undefined;
  /** For the audit log, of the changed row. */
  entry?: ((row: ApprovalRow) => Omit<EntryDetail, 'at'>) | undefined;
};

/** Updates rows of the team whose state allows it. Every change of state counts in `version`. */
export function updateRows(trx: Trx, transition: Transition, teamId: string) {
  const { from, to } = transitions[transition];
  return trx
    .updateTable('approval')
    .set(nextVersion)
    .set({ state: to })
    .where('team_id', '=', teamId)
    .where('state', 'in', from)
    .returningAll();
}

/** Changes one request, if its state and the change allow it. */
export async function changeRequest(
  trx: Trx,
  transition: Transition,
  { teamId, id }: ApprovalRef,
  { at, seenVersion, when, set = {}, entry }: Change,
  hooks: TransactionHooks,
): Promise<Approval | undefined> {
  let update = updateRows(trx, transition, teamId).set(set).where('id', '=', id);
  if (seenVersion !== undefined) update = update.where('version', '=', seenVersion);
  if (when) update = update.where(when);
  const row = await update.executeTakeFirst();
  return row && recordChange(trx, row, transition, { at, ...entry?.(row) }, hooks);
}

/** The same in a transaction of its own. */
export function createChangeRequest(db: Database, storeHooks: StoreHooks) {
  return (transition: Transition, ref: ApprovalRef, change: Change) =>
    changeRequests(db, storeHooks, (trx, hooks) =>
      changeRequest(trx, transition, ref, change, hooks),
    );
}

/** What a request that won't run has. */
export const endedAt = (at: Date) => ({ finished_at: at, wake_at: null });

/**
 * Ends every change of state with an entry in the audit log, whose lock comes last. What
 * a bulk request and its requests for single subjects change in each other follows in the same
 * transaction.
 */
export async function recordChange(
  trx: Trx,
  row: ApprovalRow,
  transition: Transition,
  detail: EntryDetail,
  hooks: TransactionHooks,
): Promise<Approval> {
  const { append, onChanged, onEnded } = hooks;
  const approval = toApproval(row);
  await onChanged(trx, approval);
  // An unknown outcome with a time to check may still run.
  if (hasEnded(approval) && approval.wakeAt === undefined) await onEnded(trx, approval);
  await scheduleTallies(trx, [row], detail.at);
  await append(trx, entryFor(row, transitions[transition].event, detail));
  await followParent(trx, row, transition, detail, hooks);
  return approval;
}

/** The facts of an entry about a step, and why it stopped or waits. */
export function stepFacts({ step }: ApprovalRow, reason?: StopReason | undefined): AuditFacts {
  return reason ? { step, reason } : { step };
}

/** Who changed what the requests depend on: a Slack user id, or undefined for the operator. */
type ChangedBy = { teamId: string; by: string | undefined; at: Date };

/** The hooks of a save, which has an `append` of its own. */
type SaveHooks = Omit<TransactionHooks, 'append'>;
type SavedBy = ChangedBy & Pick<TransactionHooks, 'append'>;

/**
 * Voids the requests on a connection that wait for a decision or for a scheduled step. Includes those on
 * connections that it replaced: a step that ran at that time may have scheduled another one since. Runs
 * in the transaction that replaces or removes the connection.
 */
export function createVoidWaiting(hooks: SaveHooks) {
  return (
    trx: Trx,
    { originId, append, ...change }: SavedBy & { originId: string },
  ): Promise<ApprovalRef[]> =>
    voidWaiting(
      trx,
      { ...hooks, append },
      {
        ...change,
        which: (eb) =>
          eb('connection_id', 'in', connectionIdsOf({ teamId: change.teamId, originId })),
        outcome: 'The connection to the service was changed in setup.',
        reason: stopReasons.connectionReplaced.id,
      },
    );
}

/**
 * Voids the team's waiting changes of the setup, and the waiting requests for actions that others have
 * to approve from now on. Runs in the transaction that saves another setup.
 */
export function createVoidSetupChanges(hooks: SaveHooks) {
  return (
    trx: Trx,
    { changedRules = [], append, ...change }: SavedBy & { changedRules?: string[] },
  ): Promise<ApprovalRef[]> =>
    voidWaiting(
      trx,
      { ...hooks, append },
      {
        ...change,
        which: (eb) => eb('action', '=', setupChangeAction),
        outcome: 'The setup was changed in the meantime.',
        reason: stopReasons.setupChanged.id,
      },
      ...changedRules.map((action) => ({
        ...change,
        which: (eb: ExpressionBuilder<Tables, 'approval'>) => eb('action', '=', action),
        outcome: ruleChangedText,
        reason: stopReasons.ruleChanged.id,
      })),
    );
}

/** Voids the waiting requests that a new request replaces, in the transaction that creates it. */
export async function voidSuperseded(
  trx: Trx,
  hooks: TransactionHooks,
  {
    approval: { id, teamId, connectionId, subjectId },
    supersedes,
    by,
    at,
  }: Pick<ChangedBy, 'by' | 'at'> & { approval: NewApproval; supersedes: ApprovableActionName[] },
): Promise<void> {
  if (supersedes.length === 0) return;
  await voidWaiting(trx, hooks, {
    teamId,
    by,
    at,
    which: (eb) =>
      eb
        .and({ connection_id: connectionId, subject_id: subjectId })
        .and('action', 'in', supersedes)
        .and('id', '<>', id),
    outcome: 'A newer request about the same subject replaced this request.',
    reason: stopReasons.superseded.id,
  });
}

type Voiding = ChangedBy & {
  which: (eb: ExpressionBuilder<Tables, 'approval'>) => Expression<SqlBool>;
  outcome: string;
  reason: StopReason;
};

/** Locks all rows before the first entry in the audit log, whose lock comes last. */
async function voidWaiting(
  trx: Trx,
  hooks: TransactionHooks,
  ...voidings: Voiding[]
): Promise<ApprovalRef[]> {
  const voided: { row: ApprovalRow; voiding: Voiding }[] = [];
  for (const voiding of voidings) {
    const { teamId, at, which, outcome } = voiding;
    const rows = await updateRows(trx, 'voidWaiting', teamId)
      .set({ outcome, ...endedAt(at) })
      // A scheduled bulk request ends with its subjects, each of which is a separate request.
      .where((eb) => eb.or([eb('tally', 'is', null), eb('state', '=', 'pending')]))
      .where('id', 'in', (eb) => waitingIds(eb.selectFrom('approval'), teamId).where(which))
      .execute();
    await scheduleTallies(trx, rows, at);
    voided.push(...rows.map((row) => ({ row, voiding })));
  }
  for (const { row, voiding } of voided) {
    const { at, by: actor, reason } = voiding;
    await recordChange(trx, row, 'voidWaiting', { at, actor, facts: { reason } }, hooks);
  }
  return voided.map(({ row }) => ({ teamId: row.team_id, id: row.id }));
}

/** A request for a single subject that waits for its decision is decided with its bulk request. */
function waitingIds(approvals: SelectQueryBuilder<Tables, 'approval', object>, teamId: string) {
  return approvals
    .select((eb) =>
      eb
        .case()
        .when(eb.and([eb('state', '=', 'pending'), eb('parent_id', 'is not', null)]))
        .then(eb.ref('parent_id'))
        .else(eb.ref('id'))
        .end()
        .as('id'),
    )
    .where('team_id', '=', teamId)
    .where('state', 'in', transitions.voidWaiting.from);
}

/** Publishes the team's pending requests again, because the approvers that they name have changed. */
export function createRepublishPending({ onChanged }: Pick<TransactionHooks, 'onChanged'>) {
  return async (trx: Trx, teamId: string): Promise<void> => {
    const rows = await trx
      .updateTable('approval')
      .set(nextVersion)
      .where('team_id', '=', teamId)
      .where('state', '=', 'pending')
      .where('parent_id', 'is', null)
      .returningAll()
      .execute();
    for (const row of rows) await onChanged(trx, toApproval(row));
  };
}
