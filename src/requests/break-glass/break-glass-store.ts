import type { ExpressionBuilder } from 'kysely';
import type { StopReason } from '../../audit-log/registry.ts';
import { connectionIdsOf, type OriginRef } from '../../database/connection-origin.ts';
import { parseEach } from '../../database/parse-rows.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { lockConnections } from '../../workspace/store/save-setup.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { entriesFor, toApproval, withRuns } from '../store/approval-row.ts';
import { changeRequest, endedAt } from '../store/change-approval.ts';
import { type DecisionLimit, isLimitReached } from '../store/deciding.ts';
import { isUnreviewed, selectRequests } from '../store/select-runs.ts';
import { changeRequests, nextVersion, type StoreHooks } from '../store/transaction-hooks.ts';

type Start = ApprovalRef & { at: Date; limit?: DecisionLimit | undefined };

type Review = ApprovalRef & {
  /** Slack user id, and `hashMailbox` of the person. */
  by: string;
  mailboxHash: string;
  comment?: string | undefined;
  at: Date;
};

/** The statements about runs without approval. */
export function createBreakGlassStore(db: Database, storeHooks: StoreHooks) {
  return {
    /** Whether the limit leaves no room for one more subject: `startBreakGlass` checks it again. */
    isLimitReached: (ref: ApprovalRef, limit: DecisionLimit) =>
      db.transaction().execute((trx) => isLimitReached(trx, ref, limit)),

    /**
     * Comes before an approver is sent the announcement in a direct message: one whose place isn't
     * recorded afterward is searched for.
     */
    async markAnnouncing(to: ApprovalRef & { slackUserId: string; at: Date }): Promise<void> {
      await db
        .updateTable('request_copy')
        .set({ attempted_at: to.at })
        .where('team_id', '=', to.teamId)
        .where('approval_id', '=', to.id)
        .where('slack_user_id', '=', to.slackUserId)
        .where('kind', '=', 'approver')
        .execute();
    },

    /** Starts a run without approval that was announced; one that exceeds the limit is void. */
    startBreakGlass: ({ at, limit, ...ref }: Start) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        // Before the request, which is the order in which a save locks them.
        if (limit) await lockConnections(trx, ref.teamId);
        const isOver = limit !== undefined && (await isLimitReached(trx, ref, limit));
        const when = (eb: ExpressionBuilder<Tables, 'approval'>) =>
          eb('break_glass_mailbox', 'is not', null);
        if (isOver) {
          const outcome = 'The limit of users per hour was reached.';
          const set = endedAt(at);
          const reason: StopReason = 'limit_reached';
          const entry = () => ({ facts: { reason } });
          const change = { at, when, set, outcome, entry };
          const voided = await changeRequest(trx, 'voidPending', ref, change, hooks);
          return voided && ('limit_reached' as const);
        }
        const set = { decided_at: at, wake_at: null };
        const entry = ({ requester: actor, reason }: Approval) => ({
          actor,
          personal: { reason },
        });
        return changeRequest(trx, 'startBreakGlass', ref, { at, when, set, entry }, hooks);
      }),

    /** Records the first review, by somebody else than the person who ran it. */
    review: ({ teamId, id, by, mailboxHash, comment, at }: Review) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const row = await trx
          .updateTable('approval')
          .set(nextVersion)
          .set({ reviewed_by: by, reviewed_at: at, review_comment: comment ?? null })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('break_glass_mailbox', 'is not', null)
          .where('break_glass_mailbox', '<>', mailboxHash)
          .where('requester', '<>', by)
          .where('decided_at', 'is not', null)
          .where('state', 'not in', ['approved', 'running'])
          .where('reviewed_at', 'is', null)
          .returningAll()
          .returning(withRuns)
          .executeTakeFirst();
        if (!row) return undefined;
        const approval = toApproval(row);
        await hooks.onChanged(trx, approval);
        const detail = { at, actor: by, ...(comment && { personal: { reason: comment } }) };
        for (const entry of entriesFor(approval, 'reviewed', detail))
          await hooks.append(trx, entry);
        return approval;
      }),

    /** The runs without approval that nobody has reviewed, the oldest first. */
    async listUnreviewed(teamId: string) {
      const rows = await selectRequests(db, teamId)
        .where(isUnreviewed)
        .orderBy('decided_at')
        .limit(maxListed)
        .execute();
      return parseEach(rows, toApproval);
    },
  };
}

const maxListed = 100;

export type UnreviewedRuns = {
  count: number;
  oldest: Pick<Approval, 'channelId' | 'messageTs' | 'decidedAt'> | undefined;
};

/**
 * The runs without approval that nobody has reviewed, on one connection if it is given, those that can't be
 * read included.
 */
export async function readUnreviewed(
  db: Database,
  { teamId, originId }: Partial<OriginRef> & Pick<OriginRef, 'teamId'>,
): Promise<UnreviewedRuns> {
  const rows = await db
    .selectFrom('approval')
    .select(['channel_id', 'message_ts', 'decided_at'])
    .where('team_id', '=', teamId)
    .where(isUnreviewed)
    .$if(originId !== undefined, (rest) =>
      rest.where('connection_id', 'in', connectionIdsOf({ teamId, originId: originId ?? '' })),
    )
    .orderBy('decided_at')
    .execute();
  const [first] = rows;
  const oldest = first && {
    channelId: first.channel_id,
    messageTs: first.message_ts ?? undefined,
    decidedAt: first.decided_at ?? undefined,
  };
  return { count: rows.length, oldest };
}
