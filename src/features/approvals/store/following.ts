import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Database, Tables } from '../../../database/tables.ts';
import type { MessageRef } from '../../../slack/api/post.ts';
import type { Approval, ApprovalRef, NewApproval } from '../approval.ts';
import { type ApprovalRow, toApproval } from './approval-row.ts';
import { needsNoMessage, noteApprovers } from './approver-copies.ts';
import type { CopyKind } from './tables.ts';

/** What is requested. */
export type RequestedChange = Pick<Approval, 'teamId' | 'connectionId' | 'action'> & {
  subjectId: string;
};

/**
 * Gets the same direct messages as the requester or, as an approver, one to decide in; `direct` is that
 * message, once sent, and `attemptedAt` when Belay first tried to send it.
 */
export type Follower = {
  slackUserId: string;
  kind: CopyKind;
  /** Before an approver's first one Belay finds out whether they need a message. */
  isFirst: boolean;
  direct: MessageRef | undefined;
  attemptedAt: Date | undefined;
};

type FollowerRef = Pick<Follower, 'slackUserId' | 'kind'>;

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
        await trx
          .insertInto('approval_follower')
          .values({
            team_id: teamId,
            approval_id: id,
            slack_user_id: slackUserId,
            notified_version: row.version,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return toApproval(row);
      }),

    /** Notes the current approvers of a pending request, who may have become that since. */
    noteApprovers: (
      approval: Pick<Approval, 'teamId' | 'id' | 'requester'>,
      approvers: string[],
    ): Promise<void> => noteApprovers(db, approval, approvers),

    /** Followers and approvers who have not heard of this version. */
    async followersBehind({ teamId, id, version, messageTs }: Approval): Promise<Follower[]> {
      const rows = await db
        .selectFrom('approval_follower')
        .select(['slack_user_id', 'kind', 'notified_version'])
        .select(['direct_channel_id', 'direct_ts', 'direct_attempted_at'])
        .where('team_id', '=', teamId)
        .where('approval_id', '=', id)
        .where('notified_version', '<', version)
        // Before it is posted, approvers have nothing to decide, but may know of a run without approval.
        .$if(messageTs === undefined, (rest) =>
          rest.where((eb) => eb.or([eb('kind', '=', 'follower'), eb('direct_ts', 'is not', null)])),
        )
        .execute();
      return rows.map(({ direct_channel_id: channelId, direct_ts: messageTs, ...row }) => ({
        slackUserId: row.slack_user_id,
        kind: row.kind,
        isFirst: row.notified_version < 0,
        direct: channelId && messageTs ? { channelId, messageTs } : undefined,
        attemptedAt: row.direct_attempted_at ?? undefined,
      }));
    },

    /** Records the place of a message that was just sent. */
    async markFollowerNotified(
      { teamId, id, version }: Approval,
      { slackUserId, kind, direct }: FollowerRef & { direct: MessageRef },
    ): Promise<void> {
      await db
        .updateTable('approval_follower')
        .set({
          notified_version: version,
          direct_channel_id: direct.channelId,
          direct_ts: direct.messageTs,
        })
        .where('team_id', '=', teamId)
        .where('approval_id', '=', id)
        .where('slack_user_id', '=', slackUserId)
        .where('kind', '=', kind)
        .execute();
    },

    /**
     * Records that these people have an updated message, or need none. An approver who needs none for the
     * first version never gets one.
     */
    async markFollowersUpToDate(
      { teamId, id, version }: Approval,
      followers: FollowerRef[],
    ): Promise<void> {
      await db
        .updateTable('approval_follower')
        .set((eb) => ({
          notified_version: eb
            .case()
            .when(
              eb
                .and({ kind: 'approver' })
                .and('direct_ts', 'is', null)
                .and('direct_attempted_at', 'is', null),
            )
            .then(needsNoMessage)
            .else(version)
            .end(),
        }))
        .where('team_id', '=', teamId)
        .where('approval_id', '=', id)
        .where((eb) => areAmong(eb, followers))
        .execute();
    },

    /** Recorded again if the person becomes an approver again. */
    async removeFollowers({ teamId, id }: ApprovalRef, followers: FollowerRef[]): Promise<void> {
      await db
        .deleteFrom('approval_follower')
        .where('team_id', '=', teamId)
        .where('approval_id', '=', id)
        .where((eb) => areAmong(eb, followers))
        .execute();
    },
  };
}

function areAmong(eb: ExpressionBuilder<Tables, 'approval_follower'>, followers: FollowerRef[]) {
  return eb.or(
    followers.map(({ slackUserId, kind }) => eb.and({ slack_user_id: slackUserId, kind })),
  );
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
