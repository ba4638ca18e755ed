import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import {
  type ApprovableActionName,
  type StopReason,
  setupChangeAction,
} from '../../audit-log/registry.ts';
import { connectionIdsOf } from '../../database/connection-origin.ts';
import type { Tables } from '../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { ruleChangedText } from '../rules/requirements.ts';
import { endedAt, moveRequests, moveRuns, recordDecision, recordRuns } from './change-approval.ts';
import { selectRuns } from './select-runs.ts';
import type { TransactionHooks } from './transaction-hooks.ts';

type Trx = Transaction<Tables>;

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
          eb('approval.connection_id', 'in', connectionIdsOf({ teamId: change.teamId, originId })),
        outcome: 'The connection to the service was changed in setup.',
        reason: 'connection_replaced',
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
        which: (eb) => eb('approval.action', '=', setupChangeAction),
        outcome: 'The setup was changed in the meantime.',
        reason: 'setup_changed',
      },
      ...changedRules.map(
        (action): Voiding => ({
          ...change,
          which: (eb) => eb('approval.action', '=', action),
          outcome: ruleChangedText,
          reason: 'rule_changed',
        }),
      ),
    );
}

/** Voids the waiting requests that a newer request replaces. */
export async function voidSuperseded(
  trx: Trx,
  hooks: TransactionHooks,
  { id, teamId, connectionId, runs, requester: by, requestedAt }: Approval,
  { supersedes, at }: { supersedes: ApprovableActionName[]; at: Date },
): Promise<void> {
  await voidWaiting(trx, hooks, {
    teamId,
    by,
    at,
    which: (eb) =>
      eb('approval.connection_id', '=', connectionId)
        .and(
          'run.subject_id',
          'in',
          runs.map(({ subjectId }) => subjectId),
        )
        .and('approval.action', 'in', supersedes)
        .and(eb.refTuple('approval.requested_at', 'approval.id'), '<', eb.tuple(requestedAt, id)),
    outcome: 'A newer request about the same subject replaced this request.',
    reason: 'superseded',
  });
}

type Voiding = ChangedBy & {
  which: (eb: ExpressionBuilder<Tables, 'approval' | 'run'>) => Expression<SqlBool>;
  outcome: string;
  reason: StopReason;
};

/** Locks all rows before the first entry in the audit log, whose lock comes last. */
async function voidWaiting(
  trx: Trx,
  hooks: TransactionHooks,
  ...voidings: Voiding[]
): Promise<ApprovalRef[]> {
  const records: (() => Promise<void>)[] = [];
  const voided = new Map<string, ApprovalRef>();
  for (const voiding of voidings) {
    const { teamId, at, by: actor, which, outcome, reason } = voiding;
    const detail = { at, actor, facts: { reason } };
    const scheduled = await moveRuns(trx, voiding, {
      transition: 'voidScheduled',
      set: { outcome, ...endedAt(at) },
      which: (eb) => eb('id', 'in', selectRuns(trx, teamId).select('run.id').where(which)),
    });
    for (const moved of scheduled) {
      voided.set(moved.approval.id, { teamId, id: moved.approval.id });
      records.push(() => recordRuns(trx, moved, () => detail, hooks));
    }
    const pending = await moveRequests(trx, 'voidPending', teamId, {
      at,
      set: endedAt(at),
      outcome,
      which: (eb) => eb('id', 'in', selectRuns(trx, teamId).select('approval.id').where(which)),
    });
    for (const approval of pending) {
      voided.set(approval.id, { teamId, id: approval.id });
      records.push(() => recordDecision(trx, approval, 'voidPending', detail, hooks));
    }
  }
  for (const record of records) await record();
  return [...voided.values()];
}
