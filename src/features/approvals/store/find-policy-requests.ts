import { subDays } from 'date-fns/subDays';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

/** A request that may have changed a policy. */
export type PolicyRequest = {
  action: string;
  subjectId: string | undefined;
  /** Parsed by the action. */
  payload: unknown;
  /** The change may be made at any moment. */
  isRunning: boolean;
  /** False for one that failed or whose outcome is unknown, after it may have sent its change. */
  isCertain: boolean;
};

const runningStates = ['approved', 'executing', 'scheduled'] as const;
/** An unknown outcome ended, in the row, when Belay began to check it. */
const maxCheckedDays = 1;

/** The requests that run now or ended since then and may have changed a policy, the latest first. */
export async function findPolicyRequests(
  trx: Transaction<Tables>,
  { teamId, connectionId, since }: { teamId: string; connectionId: string; since: Date },
): Promise<PolicyRequest[]> {
  const rows = await trx
    .selectFrom('approval')
    .select(['action', 'subject_id', 'payload', 'state', 'wake_at'])
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where('action', 'like', 'policies.%')
    .where((eb) =>
      eb.or([
        eb('state', 'in', [...runningStates]),
        // Belay still checks its outcome.
        eb.and([eb('state', '=', 'outcome_unknown'), eb('wake_at', 'is not', null)]),
        eb.and([
          eb('state', 'in', ['succeeded', 'failed', 'voided']),
          eb('finished_at', '>=', since),
          mayHaveSent(eb),
        ]),
        eb.and([
          eb('state', '=', 'outcome_unknown'),
          eb('finished_at', '>=', subDays(since, maxCheckedDays)),
          mayHaveSent(eb),
        ]),
      ]),
    )
    .orderBy('finished_at', (order) => order.desc().nullsFirst())
    .execute();
  return rows.map(({ action, subject_id, payload, state, wake_at }) => ({
    ...{ action, subjectId: subject_id ?? undefined, payload },
    isRunning:
      runningStates.some((one) => one === state) ||
      (state === 'outcome_unknown' && wake_at !== null),
    isCertain: state === 'succeeded',
  }));
}

/** One that sent nothing may have found that somebody else had made its change. */
function mayHaveSent(eb: ExpressionBuilder<Tables, 'approval'>) {
  return eb.or([eb('sent', 'is', null), sql<boolean>`jsonb_array_length(sent) > 0`]);
}
