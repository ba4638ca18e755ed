import { sql, type Transaction } from 'kysely';
import { connectionIdsOf, type OriginRef } from '../../database/connection-origin.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { subDays } from '../../dates.ts';
import { selectRuns } from './select-runs.ts';

/** A request that may have changed its subject. */
export type ChangingRequest = {
  action: string;
  subjectId: string;
  /** Parsed by the action. */
  payload: unknown;
  /** The change may be made at any moment. */
  isRunning: boolean;
  /** False for one that failed or whose outcome is unknown, after it may have sent its change. */
  isCertain: boolean;
};

const runningStates = ['approved', 'running', 'scheduled'] as const;
/** An unknown outcome ended, in the row, when Belay began to check it. */
const maxCheckedDays = 1;

/**
 * The requests for these actions that run now or ended since then and may have changed something, the
 * latest first.
 */
export async function findChangingRequests(
  trx: Transaction<Tables>,
  {
    teamId,
    connectionId,
    actions,
    since,
  }: { teamId: string; connectionId: string; actions: string[]; since: Date },
): Promise<ChangingRequest[]> {
  const rows = await selectRuns(trx, teamId)
    .select(['action', 'subject_id', 'payload', 'run.state', 'run.wake_at'])
    .where('connection_id', '=', connectionId)
    .where('action', 'in', actions)
    .where((eb) =>
      eb.or([
        eb('run.state', 'in', [...runningStates]),
        // Belay still checks its outcome.
        eb.and([eb('run.state', '=', 'outcome_unknown'), eb('run.wake_at', 'is not', null)]),
        eb.and([
          eb('run.state', 'in', ['completed', 'failed', 'voided']),
          eb('run.finished_at', '>=', since),
          mayHaveSent,
        ]),
        eb.and([
          eb('run.state', '=', 'outcome_unknown'),
          eb('run.finished_at', '>=', subDays(since, maxCheckedDays)),
          mayHaveSent,
        ]),
      ]),
    )
    .orderBy('run.finished_at', (order) => order.desc().nullsFirst())
    .execute();
  return rows.map(({ action, subject_id, payload, state, wake_at }) => ({
    action,
    subjectId: subject_id,
    payload,
    isRunning:
      runningStates.some((one) => one === state) ||
      (state === 'outcome_unknown' && wake_at !== null),
    isCertain: state === 'completed',
  }));
}

/** A request that has changed its subject. */
export type CompletedRequest = Pick<ChangingRequest, 'action' | 'subjectId' | 'payload'> & {
  finishedAt: Date;
  madeBy: RequestMade;
};

/** Who requested and approved a change, Slack user ids, and where the request was posted. */
export type RequestMade = {
  requester: string;
  /** Undefined for a run without approval. */
  decidedBy: string | undefined;
  channelId: string;
  messageTs: string | undefined;
};

/**
 * The requests for these actions on a connection that changed something after `after`, until `until`,
 * newest first.
 */
export async function listCompletedRequests(
  db: Database,
  {
    actions,
    after,
    until,
    limit,
    ...of
  }: OriginRef & { actions: string[]; after: Date; until: Date; limit: number },
): Promise<CompletedRequest[]> {
  const rows = await selectRuns(db, of.teamId)
    .select(['action', 'subject_id', 'payload', 'run.finished_at'])
    .select(['requester', 'decided_by', 'channel_id', 'message_ts'])
    .where('connection_id', 'in', connectionIdsOf(of))
    .where('action', 'in', actions)
    .where('run.state', '=', 'completed')
    .where('run.finished_at', '>', after)
    .where('run.finished_at', '<=', until)
    .where((_eb) => mayHaveSent)
    .orderBy('run.finished_at', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ action, subject_id, payload, finished_at: finishedAt, ...row }) => {
    const madeBy = {
      requester: row.requester,
      decidedBy: row.decided_by ?? undefined,
      channelId: row.channel_id,
      messageTs: row.message_ts ?? undefined,
    };
    return finishedAt ? [{ action, subjectId: subject_id, payload, finishedAt, madeBy }] : [];
  });
}

/** One that sent nothing may have found that somebody else had made its change. */
const mayHaveSent = sql<boolean>`jsonb_array_length(sent) > 0`;
