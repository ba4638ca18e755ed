import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import type { Approval, ApprovalRef, NewApproval } from '../approval.ts';
import { addFollower } from '../copies/copy.ts';
import { type ApprovalRow, toApproval } from './approval-row.ts';

/** What is requested. */
export type RequestedChange = Pick<Approval, 'teamId' | 'connectionId' | 'action'> & {
  subjectId: string;
};

/** The statements about people who follow a request instead of making the same one. */
export function createFollowingStore(db: Database) {
  return {
    /**
     * The first request for this change that people see and that has not ended: the bulk request, if it
     * is part of one.
     */
    async findOpen({
      at,
      ...change
    }: RequestedChange & { at: Date }): Promise<Approval | undefined> {
      const row = await openRequests(db, change, at)
        .where((eb) => eb.or([eb('message_ts', 'is not', null), eb('parent_id', 'is not', null)]))
        .executeTakeFirst();
      const open = row && (await readParent(db, row));
      return open?.message_ts ? toApproval(open) : undefined;
    },

    /** Those of the subjects for which the same change is requested and has not ended. */
    async findOpenSubjects({
      teamId,
      connectionId,
      action,
      subjectIds,
      at,
    }: Omit<RequestedChange, 'subjectId'> & { subjectIds: string[]; at: Date }): Promise<
      Set<string>
    > {
      if (subjectIds.length === 0) return new Set();
      const rows = await db
        .selectFrom('approval')
        .select('subject_id')
        .where('team_id', '=', teamId)
        .where('connection_id', '=', connectionId)
        .where('action', '=', action)
        .where('subject_id', 'in', subjectIds)
        .where((eb) => isOpen(eb, at))
        .execute();
      return new Set(rows.flatMap(({ subject_id }) => subject_id ?? []));
    },

    /** Locks the request, so that its next change is news for the follower. Undefined if it has ended. */
    follow: ({
      teamId,
      id,
      slackUserId,
      at,
    }: ApprovalRef & { slackUserId: string; at: Date }): Promise<Approval | undefined> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('approval')
          .selectAll()
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where((eb) => isOpen(eb, at))
          .forUpdate()
          .executeTakeFirst();
        if (!row) return undefined;
        const followed = toApproval(row);
        await addFollower(trx, followed, slackUserId);
        return followed;
      }),
  };
}

/**
 * The first request for the same change from another form that has not ended. One that is being posted
 * counts too.
 */
export async function findOpenBefore(
  trx: Transaction<Tables>,
  { sourceViewId, requestedAt: at, ...change }: NewApproval,
): Promise<Approval | undefined> {
  const row = await openRequests(trx, change, at)
    .where((eb) =>
      eb.or([
        eb('message_ts', 'is not', null),
        eb('parent_id', 'is not', null),
        eb('wake_at', '>', at),
      ]),
    )
    .where('source_view_id', '<>', sourceViewId)
    .executeTakeFirst();
  return row && toApproval(await readParent(trx, row));
}

/** The bulk request that a request for a single subject belongs to; any other request itself. */
async function readParent(
  db: Database | Transaction<Tables>,
  row: ApprovalRow,
): Promise<ApprovalRow> {
  if (row.parent_id === null) return row;
  const parent = await db
    .selectFrom('approval')
    .selectAll()
    .where('team_id', '=', row.team_id)
    .where('id', '=', row.parent_id)
    .executeTakeFirst();
  return parent ?? row;
}

/** A request for one of these actions about the subject that has started and not ended. */
export async function findStarted(
  trx: Transaction<Tables>,
  { teamId, connectionId, subjectId }: NewApproval,
  actions: string[],
): Promise<Approval | undefined> {
  const row = await trx
    .selectFrom('approval')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where('action', 'in', actions)
    .where('subject_id', '=', subjectId)
    .where('state', 'in', ['approved', 'running', 'outcome_unknown'])
    .where('wake_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row && toApproval(row);
}

function openRequests(
  db: Database | Transaction<Tables>,
  { teamId, connectionId, action, subjectId }: RequestedChange,
  at: Date,
) {
  return db
    .selectFrom('approval')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where('action', '=', action)
    .where('subject_id', '=', subjectId)
    .where((eb) => isOpen(eb, at))
    .orderBy('requested_at')
    .limit(1);
}

/** An unknown outcome is open while Belay still checks it. */
function isOpen(eb: ExpressionBuilder<Tables, 'approval'>, at: Date) {
  return eb.or([
    eb.and([eb('state', '=', 'pending'), eb('expires_at', '>', at)]),
    eb('state', 'in', ['approved', 'running', 'scheduled']),
    eb.and([eb('state', '=', 'outcome_unknown'), eb('wake_at', 'is not', null)]),
  ]);
}
