import type { ExpressionBuilder } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import type { ApprovalRef } from '../approval.ts';
import { withRuns } from './approval-row.ts';

type Reader = Pick<Database, 'selectFrom'>;

/** The requests of a team, each with its runs. */
export function selectRequests(db: Reader, teamId: string) {
  return db.selectFrom('approval').selectAll().select(withRuns).where('team_id', '=', teamId);
}

/** A request with its runs. */
export function selectRequest(db: Reader, { teamId, id }: ApprovalRef) {
  return selectRequests(db, teamId).where('id', '=', id);
}

/** The runs of a team, each joined with its request. */
export function selectRuns(db: Reader, teamId: string) {
  return db
    .selectFrom('run')
    .innerJoin('approval', 'approval.id', 'run.approval_id')
    .where('run.team_id', '=', teamId)
    .where('approval.team_id', '=', teamId);
}

/** Whether it was run without approval and nobody has reviewed it. */
export function isUnreviewed(eb: ExpressionBuilder<Tables, 'approval'>) {
  return eb.and([
    eb('break_glass_mailbox', 'is not', null),
    eb('reviewed_at', 'is', null),
    eb('decided_at', 'is not', null),
  ]);
}

/** Whether Belay still runs, cancels or checks something for the request. */
export function hasDueRun({ exists, selectFrom }: ExpressionBuilder<Tables, 'approval'>) {
  return exists(
    selectFrom('run')
      .select('run.id')
      .whereRef('run.team_id', '=', 'approval.team_id')
      .whereRef('run.approval_id', '=', 'approval.id')
      // A completed one is only looked at once more.
      .where('run.state', '<>', 'completed')
      .where('run.wake_at', 'is not', null),
  );
}
