import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';

/** A request that may have changed a policy. */
export type PolicyRequest = {
  action: string;
  subjectId: string | undefined;
  /** Parsed by the action. */
  payload: unknown;
  /** The change may be made at any moment. */
  isRunning: boolean;
};

const runningStates = ['approved', 'executing', 'scheduled'] as const;

/** The requests about policies that run now or were completed since then, the latest first. */
export async function findPolicyRequests(
  trx: Transaction<Tables>,
  { teamId, connectionId, since }: { teamId: string; connectionId: string; since: Date },
): Promise<PolicyRequest[]> {
  const rows = await trx
    .selectFrom('approval')
    .select(['action', 'subject_id', 'payload', 'state'])
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where('action', 'like', 'policies.%')
    .where((eb) =>
      eb.or([
        eb('state', 'in', [...runningStates]),
        // Belay still checks its outcome.
        eb.and([eb('state', '=', 'outcome_unknown'), eb('wake_at', 'is not', null)]),
        eb.and([eb('state', '=', 'succeeded'), eb('finished_at', '>=', since)]),
      ]),
    )
    .orderBy('finished_at', (order) => order.desc().nullsFirst())
    .execute();
  return rows.map(({ action, subject_id, payload, state }) => ({
    ...{ action, subjectId: subject_id ?? undefined, payload },
    isRunning: state !== 'succeeded',
  }));
}
