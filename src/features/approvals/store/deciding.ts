import type { Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import type { EntryDetail } from './approval-row.ts';
import { changeRow, recordChange, type TransactionHooks } from './change-approval.ts';

export type Decision = ApprovalRef & {
  to: 'approved' | 'denied' | 'withdrawn';
  /** Slack user id. */
  by: string;
  reason?: string;
  at: Date;
  /** For an approval of an action with a limit. */
  limit?: DecisionLimit | undefined;
};

/** At most `max` subjects of requests for these actions that were decided after `since`. */
export type DecisionLimit = { max: number; actions: string[]; since: Date };

/** The statement that decides a pending request, once. */
export function createDecidingStore(db: Database, hooks: TransactionHooks) {
  return {
    /** Only before it expires. Only the requester withdraws a request; only others decide it. */
    decide: (decision: Decision): Promise<Approval | 'limit-reached' | undefined> =>
      db.transaction().execute(async (trx) => {
        const { to, by, reason, at, limit, ...ref } = decision;
        if (limit && (await isLimitReached(trx, decision, limit))) return 'limit-reached';
        const row = await changeRow(trx, ref, 'decide')
          .set({
            state: to,
            decided_by: by,
            decision_reason: reason ?? null,
            decided_at: at,
            wake_at: to === 'approved' ? at : null,
          })
          .where('expires_at', '>', at)
          .where('requester', to === 'withdrawn' ? '=' : '<>', by)
          .executeTakeFirst();
        if (!row) return undefined;
        const detail: EntryDetail = { at, actor: by, ...(reason && { personal: { reason } }) };
        return recordChange(trx, row, to, detail, hooks);
      }),
  };
}

/** Locks the team's connection, so that two approvals at once cannot both be the last. */
async function isLimitReached(
  trx: Transaction<Tables>,
  { teamId, id }: Decision,
  { max, actions, since }: DecisionLimit,
): Promise<boolean> {
  await trx
    .selectFrom('connection')
    .select('id')
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .forUpdate()
    .execute();
  const subject = trx
    .selectFrom('approval')
    .select('subject_id')
    .where('team_id', '=', teamId)
    .where('id', '=', id);
  const { others } = await trx
    .selectFrom('approval')
    .select((eb) => eb.fn.count('subject_id').distinct().as('others'))
    .where('team_id', '=', teamId)
    .where('action', 'in', actions)
    .where('decided_at', '>', since)
    .where('state', 'not in', ['pending', 'denied', 'withdrawn', 'expired'])
    .where('subject_id', 'is distinct from', subject)
    .executeTakeFirstOrThrow();
  return Number(others) >= max;
}
