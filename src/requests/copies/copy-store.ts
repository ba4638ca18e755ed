import type { ExpressionBuilder } from 'kysely';
import { isUnleased } from '../../database/leases.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import type { Approval, ApprovalRef } from '../approval.ts';
import { toApproval } from '../store/approval-row.ts';
import { type ChangedRef, dueLimit, teamsInTurn } from '../store/running.ts';
import { selectRequest } from '../store/select-runs.ts';
import {
  approverCopies,
  type Copy,
  type CopyRef,
  channelCopy,
  insertCopies,
  needsNoMessage,
  publishAgain,
  selectCopies,
  toCopy,
} from './copy.ts';

/** A request whose copies no other process renders until `until`. */
export type CopiesClaim = ClaimRef & { publishedVersion: number };
type ClaimRef = { approval: Approval; until: Date };

/** What became of the copies of a claim. */
export type Published = {
  /** They show the version of the claim, or need no message for it. */
  upToDate: Copy[];
  /** People who may no longer see the request. Noted again if they become approvers again. */
  revoked: Copy[];
  /** Whether no copy is left behind. */
  isComplete: boolean;
  /** Nobody renders them again before this. */
  pausedUntil?: Date | undefined;
};

/** The statements that track which copies of a request are up to date. */
export function createCopyStore(db: Database, isServed: ServedTeams) {
  return {
    /** Requests since `since` that have changed since their copies were rendered, and that nobody renders. */
    async findUnpublished({
      since,
      at,
      limit = dueLimit,
    }: {
      since: Date;
      at: Date;
      limit?: number;
    }): Promise<ChangedRef[]> {
      const rows = await db
        .selectFrom('approval')
        .select(['team_id', 'id', 'version', 'traceparent'])
        .where('published_version', '<', (eb) => eb.ref('version'))
        .where(isServed('approval.team_id'))
        .where(isUnleased('rendering_until', at))
        .where('requested_at', '>=', since)
        .orderBy(teamsInTurn('requested_at'))
        .orderBy('requested_at')
        .limit(limit)
        .execute();
      return rows.map(({ team_id: teamId, id, version, traceparent }) => ({
        teamId,
        id,
        version,
        traceparent: traceparent ?? undefined,
      }));
    },

    /** Undefined when all copies are up to date, or another process renders them or pauses. */
    async claimCopies({ teamId, id, at, until }: ApprovalRef & { at: Date; until: Date }) {
      const claimed = await db
        .updateTable('approval')
        .set({ rendering_until: until })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('published_version', '<', (eb) => eb.ref('version'))
        .where(isUnleased('rendering_until', at))
        .returning('published_version')
        .executeTakeFirst();
      if (!claimed) return undefined;
      // Not returned by the claim: one that waited for the request's lock would return the request as it is
      // then, with its runs as they were before.
      const row = await selectRequest(db, { teamId, id }).executeTakeFirst();
      if (!row) return undefined;
      const publishedVersion = claimed.published_version;
      return { approval: toApproval(row), until, publishedVersion };
    },

    /** When copies that are behind can be claimed. Undefined when all are up to date. */
    async claimableAt({ teamId, id }: ApprovalRef): Promise<Date | undefined> {
      const row = await db
        .selectFrom('approval')
        .select('rendering_until')
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('published_version', '<', (eb) => eb.ref('version'))
        .executeTakeFirst();
      return row?.rendering_until ?? undefined;
    },

    /**
     * The copies that don't show this version of the request. Not read with the claim: a statement that
     * waited for the request's lock would return its new version with the copies from before.
     */
    async findBehind(approval: Approval): Promise<Copy[]> {
      const rows = await selectCopies(db, approval)
        .where('shown_version', '<', approval.version)
        .execute();
      return rows.map((row) => toCopy(row, approval)).filter(isShowable(approval));
    },

    /** Notes the current approvers of a pending request, who may have become that since. */
    noteApprovers: (
      approval: Pick<Approval, 'teamId' | 'id' | 'requester'>,
      approvers: string[],
    ): Promise<void> => insertCopies(db, approval, approverCopies(approval, approvers)),

    /**
     * Comes before a direct message about the request is sent to somebody for the first time. False if
     * the claim has ended: another process may send it.
     */
    async markAttempted(claim: ClaimRef, copy: CopyRef, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await updateCopies(db, claim.approval)
        .set((eb) => ({ attempted_at: eb.fn.coalesce('attempted_at', eb.val(at)) }))
        .where((eb) => eb.and([isHeld(eb, claim), areAmong(eb, [copy])]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /**
     * Records the place of a message that was just sent, and the version that it shows, unless another
     * process has shown a newer one since. Of a request that was published since, it is due again.
     */
    async recordCopy(approval: Approval, copy: CopyRef, message: MessageRef): Promise<void> {
      const { version } = approval;
      await db
        .with('recorded', (also) =>
          updateCopies(also, approval)
            .set((eb) => ({
              shown_version: eb.fn<number>('greatest', ['shown_version', eb.val(version)]),
              channel_id: message.channelId,
              message_ts: message.messageTs,
            }))
            .where((eb) => areAmong(eb, [copy])),
        )
        .updateTable('approval')
        .set(publishAgain)
        .where('team_id', '=', approval.teamId)
        .where('id', '=', approval.id)
        .where('version', '>', version)
        .where('published_version', '>=', (eb) => eb.ref('version'))
        .execute();
    },

    /**
     * Ends the claim. True when what was rendered is still the latest version. A copy that was marked as
     * stale since the claim stays stale: the click that marked it may have seen an older rendering.
     */
    async finishCopies(
      { approval, until, publishedVersion }: CopiesClaim,
      { upToDate, revoked, isComplete, pausedUntil }: Published,
    ): Promise<boolean> {
      const { teamId, id, version } = approval;
      const claim = { approval, until };
      if (revoked.length > 0) {
        await db
          .deleteFrom('request_copy')
          .where('team_id', '=', teamId)
          .where('approval_id', '=', id)
          .where((eb) => eb.and([isHeld(eb, claim), areAsClaimed(eb, revoked)]))
          .execute();
      }
      const held = await db
        .with('shown', (also) =>
          updateCopies(also, approval)
            .set((eb) => ({ shown_version: versionShown(eb, version) }))
            .where((eb) => eb.and([isHeld(eb, claim), areAsClaimed(eb, upToDate)])),
        )
        .updateTable('approval')
        .set((eb) => ({
          rendering_until: pausedUntil ?? null,
          published_version: eb
            .case()
            .when(eb.val(isComplete).and('published_version', '=', publishedVersion))
            .then(version)
            .else(eb.ref('published_version'))
            .end(),
        }))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('rendering_until', '=', until)
        .returning(['version', 'published_version'])
        .executeTakeFirst();
      if (held) return held.published_version >= held.version;
      // Another process may have shown a newer version before this one showed its own.
      await markOutdated(db, approval, upToDate);
      return false;
    },

    /** Marks the channel's message for another update, also while a process renders it. */
    markStale: (ref: ApprovalRef): Promise<void> => markOutdated(db, ref, [channelCopy]),
  };
}

/**
 * Whether there is a message to render. Before a request is posted, approvers have nothing to decide, but
 * may know of a run without approval.
 */
function isShowable({ messageTs }: Approval): (copy: Copy) => boolean {
  return ({ kind, message }) =>
    message !== undefined || (kind === 'approver' ? messageTs !== undefined : kind !== 'channel');
}

type CopyBuilder = ExpressionBuilder<Tables, 'request_copy'>;

function updateCopies(db: Pick<Database, 'updateTable'>, { teamId, id }: ApprovalRef) {
  return db.updateTable('request_copy').where('team_id', '=', teamId).where('approval_id', '=', id);
}

/** Who needed no message for the first version never gets one. */
function versionShown(eb: CopyBuilder, version: number) {
  const needsNone = eb
    .and({ kind: 'approver' })
    .and('message_ts', 'is', null)
    .and('attempted_at', 'is', null);
  return eb.case().when(needsNone).then(needsNoMessage).else(version).end();
}

function areAmong(eb: CopyBuilder, copies: CopyRef[]) {
  return eb.or(copies.map(({ kind, slackUserId }) => eb.and({ kind, slack_user_id: slackUserId })));
}

/** Not those that were marked as outdated since. */
function areAsClaimed(eb: CopyBuilder, copies: Copy[]) {
  return eb.or(
    copies.map(({ kind, slackUserId, shownVersion }) =>
      eb.and({ kind, slack_user_id: slackUserId, shown_version: shownVersion }),
    ),
  );
}

function isHeld(eb: CopyBuilder, { approval: { teamId, id }, until }: ClaimRef) {
  return eb.exists(
    eb
      .selectFrom('approval')
      .select('approval.id')
      .where('approval.team_id', '=', teamId)
      .where('approval.id', '=', id)
      .where('rendering_until', '=', until),
  );
}

/** Below every version that was shown or claimed, so that `finishCopies` sees the difference. */
async function markOutdated(
  db: Database,
  ref: ApprovalRef,
  copies: (CopyRef & { shownVersion?: number })[],
): Promise<void> {
  const claimed = copies.map(({ shownVersion = needsNoMessage }) => shownVersion);
  await db
    .with('outdated', (also) =>
      updateCopies(also, ref)
        .set((eb) => ({
          shown_version: eb(
            eb.fn<number>('least', ['shown_version', ...claimed.map((one) => eb.val(one))]),
            '-',
            1,
          ),
        }))
        .where((eb) => areAmong(eb, copies)),
    )
    .updateTable('approval')
    .set(publishAgain)
    .where('team_id', '=', ref.teamId)
    .where('id', '=', ref.id)
    .execute();
}
