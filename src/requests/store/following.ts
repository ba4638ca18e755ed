import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import type { Approval, ApprovalRef, NewApproval } from '../approval.ts';
import { addFollower } from '../copies/copy.ts';
import { toApproval, withRuns } from './approval-row.ts';
import { selectRequest, selectRuns } from './select-runs.ts';

/** What is requested. */
export type RequestedChange = Pick<Approval, 'teamId' | 'connectionId' | 'action'> & {
  subjectId: string;
};

/** The statements about people who follow a request instead of making the same one. */
export function createFollowingStore(db: Database) {
  return {
    /** The first request for this change that people see and that has not ended. */
    async findOpen({ subjectId, at, ...change }: RequestedChange & { at: Date }) {
      const row = await openRequests(db, { ...change, subjectIds: [subjectId] }, at)
        .where('message_ts', 'is not', null)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    /** Those of the subjects for which the same change is requested and has not ended. */
    async findOpenSubjects({ at, ...changes }: RequestedChanges & { at: Date }) {
      if (changes.subjectIds.length === 0) return new Set<string>();
      const rows = await selectOpen(db, changes, at).select('subject_id').execute();
      return new Set(rows.map(({ subject_id }) => subject_id));
    },

    /** Locks the request, so that its next change is news for the follower. Undefined if it has ended. */
    follow: (follower: ApprovalRef & { slackUserId: string; at: Date }) =>
      db.transaction().execute(async (trx) => {
        const { teamId, id, slackUserId, at } = follower;
        // Read once it is locked: what waits for a lock sees the runs as they were before.
        await trx
          .selectFrom('approval')
          .select('id')
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .forUpdate()
          .execute();
        const row = await selectRequest(trx, { teamId, id })
          .where(
            'id',
            'in',
            selectRuns(trx, teamId)
              .select('approval.id')
              .where('approval.id', '=', id)
              .where((eb) => isOpen(eb, at)),
          )
          .executeTakeFirst();
        if (!row) return undefined;
        const followed = toApproval(row);
        await addFollower(trx, followed, slackUserId);
        return followed;
      }),
  };
}

/**
 * The first request for the same change of one of the subjects, from another form, that has not ended. One
 * that is being posted counts too.
 */
export async function findOpenBefore(
  trx: Transaction<Tables>,
  { sourceViewId, requestedAt: at, runs, ...change }: NewApproval,
): Promise<Approval | undefined> {
  const subjectIds = runs.map(({ subjectId }) => subjectId);
  const row = await openRequests(trx, { ...change, subjectIds }, at)
    .where((eb) => eb.or([eb('message_ts', 'is not', null), eb('approval.wake_at', '>', at)]))
    .where('source_view_id', '<>', sourceViewId)
    .executeTakeFirst();
  return row && toApproval(row);
}

/** A request for one of these actions about the subjects that has started and not ended. */
export async function findStarted(
  trx: Transaction<Tables>,
  { teamId, connectionId, runs }: NewApproval,
  actions: string[],
): Promise<Approval | undefined> {
  const row = await selectRuns(trx, teamId)
    .selectAll('approval')
    .select(withRuns)
    .where('connection_id', '=', connectionId)
    .where('action', 'in', actions)
    .where(
      'subject_id',
      'in',
      runs.map(({ subjectId }) => subjectId),
    )
    .where('run.state', 'in', ['approved', 'running', 'outcome_unknown'])
    .where('run.wake_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row && toApproval(row);
}

type RequestedChanges = Omit<RequestedChange, 'subjectId'> & { subjectIds: string[] };

function openRequests(db: Database | Transaction<Tables>, changes: RequestedChanges, at: Date) {
  return selectOpen(db, changes, at)
    .selectAll('approval')
    .select(withRuns)
    .orderBy('requested_at')
    .limit(1);
}

/** The runs for these changes that have not ended. */
function selectOpen(
  db: Database | Transaction<Tables>,
  { teamId, connectionId, action, subjectIds }: RequestedChanges,
  at: Date,
) {
  return selectRuns(db, teamId)
    .where('connection_id', '=', connectionId)
    .where('action', '=', action)
    .where('subject_id', 'in', subjectIds)
    .where((eb) => isOpen(eb, at));
}

/** An unknown outcome is open while Belay still checks it. */
function isOpen(eb: ExpressionBuilder<Tables, 'approval' | 'run'>, at: Date) {
  return eb.or([
    eb.and([eb('run.state', '=', 'pending'), eb('approval.expires_at', '>', at)]),
    eb('run.state', 'in', ['approved', 'running', 'scheduled']),
    eb.and([eb('run.state', '=', 'outcome_unknown'), eb('run.wake_at', 'is not', null)]),
  ]);
}
