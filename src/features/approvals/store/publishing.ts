import type { ExpressionBuilder } from 'kysely';
import { isUnleased } from '../../../database/leases.ts';
import type { Database } from '../../../database/open-database.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { toApproval } from './approval-row.ts';
import { type DueRef, sweepLimit, teamsInTurn, toDueRef } from './running.ts';
import type { CopyKind } from './tables.ts';

/** The versions that the copies of a request show now, and the new place of its requester's copy. */
export type RenderedCopies = {
  renderedVersion?: number | undefined;
  notifiedVersion?: number | undefined;
  direct?: { channelId: string; messageTs: string } | undefined;
};

/** The statements that track which copies of a request are up to date. */
export function createPublishingStore(db: Database, isServed: ServedTeams) {
  return {
    /** Requests since `since` with a copy that is not up to date and that nobody renders. */
    async findUnpublished(since: Date, at: Date): Promise<DueRef[]> {
      const rows = await db
        .selectFrom('approval')
        .select(['team_id', 'id', 'traceparent'])
        .where('requested_at', '>=', since)
        .where('parent_id', 'is', null)
        .where(isServed('approval.team_id'))
        .where((eb) => eb.and([isBehind(eb), isUnleased('rendering_until', at)]))
        .orderBy(teamsInTurn('requested_at'))
        .orderBy('requested_at')
        .limit(sweepLimit)
        .execute();
      return rows.map(toDueRef);
    },

    /** Undefined when all copies are up to date, or another process renders them. */
    async claimRendering({
      teamId,
      id,
      at,
      until,
    }: ApprovalRef & { at: Date; until: Date }): Promise<Approval | undefined> {
      const row = await db
        .updateTable('approval')
        .set({ rendering_until: until })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        // The bulk request's messages show it.
        .where('parent_id', 'is', null)
        .where((eb) => eb.and([isBehind(eb), isUnleased('rendering_until', at)]))
        .returningAll()
        .executeTakeFirst();
      return row && toApproval(row);
    },

    /** Comes before a direct message about the request is sent to somebody for the first time. */
    async markDirectAttempted(
      { teamId, id }: ApprovalRef,
      { slackUserId, kind, at }: { slackUserId: string; kind: 'requester' | CopyKind; at: Date },
    ): Promise<void> {
      if (kind === 'requester') {
        await db
          .updateTable('approval')
          .set((eb) => ({ direct_attempted_at: eb.fn.coalesce('direct_attempted_at', eb.val(at)) }))
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .execute();
        return;
      }
      await db
        .updateTable('approval_follower')
        .set((eb) => ({ direct_attempted_at: eb.fn.coalesce('direct_attempted_at', eb.val(at)) }))
        .where('team_id', '=', teamId)
        .where('approval_id', '=', id)
        .where('slack_user_id', '=', slackUserId)
        .where('kind', '=', kind)
        .execute();
    },

    /**
     * Ends the claim. True when what was rendered is still the latest version. A message marked as
     * stale since the claim stays stale: the click that marked it may have seen an older rendering.
     */
    async markRendered(
      { teamId, id, renderedVersion: claimedVersion }: Approval,
      { renderedVersion, notifiedVersion, direct }: RenderedCopies,
    ): Promise<boolean> {
      const row = await db
        .updateTable('approval')
        .set((eb) => ({
          rendering_until: null,
          ...(renderedVersion !== undefined && {
            rendered_version: eb
              .case()
              .when('rendered_version', '=', claimedVersion)
              .then(renderedVersion)
              .else(eb.ref('rendered_version'))
              .end(),
          }),
          ...(notifiedVersion !== undefined && { notified_version: notifiedVersion }),
          ...(direct && { direct_channel_id: direct.channelId, direct_ts: direct.messageTs }),
        }))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .returning(['version', 'rendered_version'])
        .executeTakeFirst();
      return row === undefined || row.rendered_version >= row.version;
    },

    /**
     * Marks the channel's message for another update, also while a process renders it. The version
     * goes below every rendered one, so that `markRendered` sees the difference.
     */
    async markStale({ teamId, id }: ApprovalRef): Promise<void> {
      await db
        .updateTable('approval')
        .set((eb) => ({
          rendered_version: eb(eb.fn<number>('least', ['rendered_version', 'version']), '-', 1),
        }))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute();
    },
  };
}

type Builder = ExpressionBuilder<Tables, 'approval'>;

/**
 * The message in the channel, the requester's copy, or that of a follower or approver; those of approvers
 * only once the request is posted. A version that a person need not know of counts as notified once it
 * was published: only the feature knows which versions those are.
 */
function isBehind(eb: Builder) {
  return eb.or([
    eb.and([eb('message_ts', 'is not', null), eb('rendered_version', '<', eb.ref('version'))]),
    eb('notified_version', '<', eb.ref('version')),
    eb.exists(
      eb
        .selectFrom('approval_follower')
        .select('approval_follower.slack_user_id')
        .whereRef('approval_follower.team_id', '=', 'approval.team_id')
        .whereRef('approval_follower.approval_id', '=', 'approval.id')
        .whereRef('approval_follower.notified_version', '<', 'approval.version')
        .where(({ or, eb: where }) =>
          or([
            where('approval_follower.kind', '=', 'follower'),
            where('approval.message_ts', 'is not', null),
          ]),
        ),
    ),
  ]);
}
