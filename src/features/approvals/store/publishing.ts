import type { ExpressionBuilder } from 'kysely';
import { isUnleased } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { toApproval } from './approval-row.ts';
import { type DueRef, dueLimit, teamsInTurn, toDueRef } from './running.ts';
import type { CopyKind } from './tables.ts';

/**
 * The request as it was claimed: until `until`, no other process renders it. `hasFollowersBehind`: whether
 * the copy of a follower or approver isn't up to date.
 */
export type RenderingClaim = Approval & { until: Date; hasFollowersBehind: boolean };
type ClaimRef = ApprovalRef & { until: Date };

/** The versions that the copies of a request show now, and the new place of its requester's copy. */
export type RenderedCopies = {
  renderedVersion?: number | undefined;
  notifiedVersion?: number | undefined;
  direct?: { channelId: string; messageTs: string } | undefined;
};

/** The statements that track which copies of a request are up to date. */
export function createPublishingStore(db: Database, isServed: ServedTeams) {
  return {
    /**
     * Requests with a copy that is not up to date and that nobody renders: those made since `since`, and
     * those with a copy of a follower or approver if they have not ended or were made since `othersSince`,
     * because that takes a lookup for each.
     */
    async findUnpublished({
      since,
      othersSince = since,
      at,
      limit = dueLimit,
    }: {
      since: Date;
      othersSince?: Date;
      at: Date;
      limit?: number;
    }): Promise<DueRef[]> {
      const requests = db
        .selectFrom('approval')
        .select(['team_id', 'id', 'version', 'traceparent'])
        .where('parent_id', 'is', null)
        .where(isServed('approval.team_id'))
        .where(isUnleased('rendering_until', at))
        .orderBy(teamsInTurn('requested_at'))
        .orderBy('requested_at')
        .limit(limit);
      const withOthers = requests.where(hasFollowersBehind);
      const found = [
        ...(await requests.where(isOwnBehind).where('requested_at', '>=', since).execute()),
        ...(await withOthers.where('requested_at', '>=', othersSince).execute()),
        ...(await withOthers.where('wake_at', 'is not', null).execute()),
      ];
      return [...new Map(found.map((row) => [row.id, toDueRef(row)])).values()];
    },

    /** Undefined when all copies are up to date, or another process renders them. */
    async claimRendering({
      teamId,
      id,
      at,
      until,
    }: ApprovalRef & { at: Date; until: Date }): Promise<RenderingClaim | undefined> {
      const row = await db
        .updateTable('approval')
        .set({ rendering_until: until })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        // The bulk request's messages show it.
        .where('parent_id', 'is', null)
        .where((eb) => eb.and([isBehind(eb), isUnleased('rendering_until', at)]))
        .returningAll()
        .returning((eb) => hasFollowersBehind(eb).as('has_followers_behind'))
        .executeTakeFirst();
      return (
        row && {
          ...toApproval(row),
          until,
          hasFollowersBehind: Boolean(row.has_followers_behind),
        }
      );
    },

    /**
     * Comes before a direct message about the request is sent to somebody for the first time. False if
     * the claim has ended: another process may send it.
     */
    async markDirectAttempted(
      claim: ClaimRef,
      { slackUserId, kind, at }: { slackUserId: string; kind: 'requester' | CopyKind; at: Date },
    ): Promise<boolean> {
      const { teamId, id, until } = claim;
      if (kind === 'requester') {
        const { numUpdatedRows } = await held(db, claim)
          .set((eb) => ({ direct_attempted_at: eb.fn.coalesce('direct_attempted_at', eb.val(at)) }))
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }
      const { numUpdatedRows } = await db
        .updateTable('approval_follower')
        .set((eb) => ({ direct_attempted_at: eb.fn.coalesce('direct_attempted_at', eb.val(at)) }))
        .where('team_id', '=', teamId)
        .where('approval_id', '=', id)
        .where('slack_user_id', '=', slackUserId)
        .where('kind', '=', kind)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('approval')
              .select('approval.id')
              .where('approval.team_id', '=', teamId)
              .where('approval.id', '=', id)
              .where('rendering_until', '=', until),
          ),
        )
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /**
     * Ends the claim. True when what was rendered is still the latest version. A message marked as
     * stale since the claim stays stale: the click that marked it may have seen an older rendering.
     */
    async markRendered(
      claim: RenderingClaim,
      { renderedVersion, notifiedVersion, direct }: RenderedCopies,
    ): Promise<boolean> {
      const row = await held(db, claim)
        .set((eb) => ({
          rendering_until: null,
          ...(renderedVersion !== undefined && {
            rendered_version: eb
              .case()
              .when('rendered_version', '=', claim.renderedVersion)
              .then(renderedVersion)
              .else(eb.ref('rendered_version'))
              .end(),
          }),
          ...(notifiedVersion !== undefined && {
            notified_version: eb
              .case()
              .when('notified_version', '=', claim.notifiedVersion)
              .then(notifiedVersion)
              .else(eb.ref('notified_version'))
              .end(),
          }),
          ...(direct && { direct_channel_id: direct.channelId, direct_ts: direct.messageTs }),
        }))
        .returning(['version', 'rendered_version'])
        .executeTakeFirst();
      if (row) return row.rendered_version >= row.version;
      // Another process may have shown a newer version before this one showed its own.
      await db
        .updateTable('approval')
        .set((eb) => ({
          rendered_version: outdated(eb, 'rendered_version'),
          notified_version: outdated(eb, 'notified_version'),
          ...(direct && {
            direct_channel_id: eb.fn.coalesce('direct_channel_id', eb.val(direct.channelId)),
            direct_ts: eb.fn.coalesce('direct_ts', eb.val(direct.messageTs)),
          }),
        }))
        .where('team_id', '=', claim.teamId)
        .where('id', '=', claim.id)
        .execute();
      return false;
    },

    /**
     * Marks the channel's message for another update, also while a process renders it. The version
     * goes below every rendered one, so that `markRendered` sees the difference.
     */
    async markStale({ teamId, id }: ApprovalRef): Promise<void> {
      await db
        .updateTable('approval')
        .set((eb) => ({ rendered_version: outdated(eb, 'rendered_version') }))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute();
    },
  };
}

type Builder = ExpressionBuilder<Tables, 'approval'>;

/** Nothing if the claim has ended, because another process may have claimed the request since. */
function held(db: Database, { teamId, id, until }: ClaimRef) {
  return db
    .updateTable('approval')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('rendering_until', '=', until);
}

function outdated(eb: Builder, column: 'rendered_version' | 'notified_version') {
  return eb(eb.fn<number>('least', [column, 'version']), '-', 1);
}

/**
 * The message in the channel, the requester's copy, or that of a follower or approver; a first one of an
 * approver only once the request is posted. A version that a person need not know of counts as notified once it
 * was published: only the feature knows which versions those are.
 */
function isBehind(eb: Builder) {
  return eb.or([isOwnBehind(eb), hasFollowersBehind(eb)]);
}

/** The message in the channel, or the requester's copy. */
function isOwnBehind(eb: Builder) {
  return eb.or([
    eb.and([eb('message_ts', 'is not', null), eb('rendered_version', '<', eb.ref('version'))]),
    eb('notified_version', '<', eb.ref('version')),
  ]);
}

function hasFollowersBehind(eb: Builder) {
  return eb.exists(
    eb
      .selectFrom('approval_follower')
      .select('approval_follower.slack_user_id')
      .whereRef('approval_follower.team_id', '=', 'approval.team_id')
      .whereRef('approval_follower.approval_id', '=', 'approval.id')
      .whereRef('approval_follower.notified_version', '<', 'approval.version')
      .where(({ or, eb: where }) =>
        or([
          where('approval_follower.kind', '=', 'follower'),
          where('approval_follower.direct_ts', 'is not', null),
          where('approval.message_ts', 'is not', null),
        ]),
      ),
  );
}
